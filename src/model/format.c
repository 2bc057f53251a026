/*
 * format.c - what a conversion in a format does to its argument.
 *
 * sqlite3_mprintf("%z, %s", a, b) frees a and leaves b alone.  A model of the
 * function cannot say so, since its arguments are not always the same; so a
 * model is given to the conversion, under the name of the function and the
 * conversion, with the converted argument as arg1:
 *
 *	"sqlite3_mprintf %z" { free arg1; }
 *	"sscanf %m" { *arg1 = new memory nonnull when arg2 != 0; }
 *
 * A model with a condition on arg2 belongs to a function that scans, whose result is the
 * number of conversions done: arg2 is 1 if this conversion is among them, else 0.
 *
 * After a call with a constant format, a call of that name is inserted for each
 * such conversion, and no engine needs to know of formats.  The format is
 * the last named parameter of a function with `...`, the one before the last of
 * a function that takes a va_list.  A function of the program that hands its own
 * format on to such a function is treated like it.
 *
 * needs: the linked program, before any analysis; the models.
 * gives: the same program with the inserted calls, marked as implicit.
 *
 * Which way it errs: these are missed, and a finding may be wrong for it: formats that are no
 * literals; what is beyond the part of a long literal that the IR has; `%2$z`; functions of the
 * program that hand their format on to a function that scans.
 */
#include "model/format.h"

#include "base/vec.h"
#include "ir/build.h"
#include "ir/io.h"
#include "ir/ir.h"

enum { MAX_CONVERSIONS = 16, MAX_ROUNDS = 8 };

/* The conversions of one function that have models. */
struct conversions {
	unsigned n;
	bool scans;			/* its result is the number of conversions done */
	char letter[MAX_CONVERSIONS];
	uint32_t func[MAX_CONVERSIONS];	/* the function that is called for the letter */
};

#define MAP_NAME convmap
#define MAP_KEY const char *
#define MAP_VAL struct conversions
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct formats {
	struct ir_module *m;
	struct convmap conv;			/* by the function's name */
	/* By the function's number: its own, or those of the function that gets its format.  NULL: none. */
	const struct conversions **by_func;
};

/* A call to insert. */
struct insert {
	uint32_t inst;		/* behind this call */
	uint32_t func;
	ir_ref arg;
	uint32_t nth, of;	/* which conversion of how many, from 1; 0: the function does not scan */
};

VEC_TYPE(inserts, struct insert);

/* ---- which functions ---- */

/* Does the model have a condition on its second argument? */
static bool has_cond_on_arg2(const struct model *md)
{
	for (unsigned i = 0; i < md->neffects; i++)
		for (unsigned k = 0; k < md->effects[i].nconds; k++)
			if (model_place_is_arg(&md->effects[i].conds[k].place, 2))
				return true;
	return false;
}

/* A declaration of a function that takes a pointer, and perhaps a truth value. */
static uint32_t declare(struct ir_module *m, const char *name, bool scans)
{
	uint32_t f = ir_add_func(m, name, IR_L_DECL);
	struct ir_param *p = arena_calloc(&m->arena, 2, sizeof(*p));

	p[0].cls = IR_C_PTR;
	p[0].bits = 64;
	p[1].cls = IR_C_INT;
	p[1].bits = 1;
	m->funcs.v[f].nparams = scans ? 2 : 1;
	m->funcs.v[f].params = p;
	return f;
}

/* The conversions of the function that a model of one is about ("printf %d"), which the program declares;
 * *sign: its letter follows.  NULL: it is no such model, or another one is in force. */
static struct conversions *conversions_of(struct formats *s, const struct model_set *models,
					  const struct model *md, const char **sign)
{
	const char *name = md->name, *of;

	*sign = strstr(name, " %");
	if (!*sign || *sign == name || !(*sign)[2] || (*sign)[3] || model_find(models, name) != md)
		return NULL;
	of = ir_intern_n(s->m, name, (size_t)(*sign - name));
	return ir_find_func(s->m, of) == IR_NONE ? NULL : convmap_put(&s->conv, of, NULL);
}

static void find_models(struct formats *s, const struct model_set *models)
{
	struct conversions *c;
	const char *sign;

	for (unsigned i = 0; i < model_count(models); i++)
		if ((c = conversions_of(s, models, model_at(models, i), &sign)))
			c->scans |= has_cond_on_arg2(model_at(models, i));
	for (unsigned i = 0; i < model_count(models); i++) {
		c = conversions_of(s, models, model_at(models, i), &sign);
		if (!c || c->n == MAX_CONVERSIONS)
			continue;
		c->letter[c->n] = sign[2];
		c->func[c->n++] = declare(s->m, model_at(models, i)->name, c->scans);
	}
}

/* The number of the argument that is the format, from 1; 0 if there is none. */
static uint32_t format_arg(const struct ir_func *f)
{
	if (f->flags & IR_FN_VARIADIC)
		return f->nparams;
	return f->nparams ? f->nparams - 1 : 0;
}

/* Is the value a parameter of the function, given by its number from 1? */
static bool is_param(const struct ir_func *f, ir_ref r, uint32_t param)
{
	const struct ir_inst *load = ir_def(f, r);

	assert(param > 0 && param <= f->nparams);
	return load && load->op == IR_LOAD && IR_KIND(load->ops[0]) == IR_R_SLOT &&
	       f->slots[IR_IDX(load->ops[0])].param == param;
}

/* The conversions of the function that gets f's own format from it; NULL if there is none. */
static const struct conversions *of_callee(const struct formats *s, const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *g = in->op == IR_CALL ? ir_callee(s->m, in) : NULL;
		const struct conversions *c = g ? s->by_func[g - s->m->funcs.v] : NULL;
		uint32_t arg = c ? format_arg(g) : 0;

		if (arg && arg < in->nops && is_param(f, in->ops[arg], format_arg(f)))
			return c;
	}
	return NULL;
}

static void find_formatters(struct formats *s)
{
	bool more = true;

	s->by_func = xcalloc(MAX(s->m->funcs.n, 1), sizeof(*s->by_func));
	for (uint32_t i = 0; i < s->m->funcs.n; i++)
		if (ir_is_decl(&s->m->funcs.v[i]))
			s->by_func[i] = convmap_get(&s->conv, s->m->funcs.v[i].name);
	for (int round = 0; more && round < MAX_ROUNDS; round++) {
		more = false;
		for (uint32_t i = 0; i < s->m->funcs.n; i++) {
			const struct ir_func *f = &s->m->funcs.v[i];

			if (s->by_func[i] || ir_is_decl(f) || !(f->flags & IR_FN_VARIADIC) || !format_arg(f))
				continue;
			s->by_func[i] = of_callee(s, f);
			if (s->by_func[i] && s->by_func[i]->scans)
				s->by_func[i] = NULL;
			more |= s->by_func[i] != NULL;
		}
	}
}

/* ---- calls ---- */

static bool is_constant(const struct formats *s, ir_ref r)
{
	return IR_KIND(r) == IR_R_GLOBAL && s->m->globals.v[IR_IDX(r)].flags & IR_G_STRING &&
	       s->m->globals.v[IR_IDX(r)].text;
}

/* The function to call for a letter, or IR_NONE. */
static uint32_t conversion(const struct conversions *c, char letter)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->letter[i] == letter)
			return c->func[i];
	return IR_NONE;
}

/* Goes through the conversions of a call's format.  arg: the first that is converted. */
static void read_format(struct inserts *out, const struct formats *s, const struct conversions *c,
			const struct ir_func *f, uint32_t inst, uint32_t arg)
{
	const struct ir_inst *call = &f->insts[inst];
	const char *p = s->m->globals.v[IR_IDX(call->ops[arg - 1])].text;

	while ((p = strchr(p, '%')) && arg < call->nops) {
		/* flags, width, precision, length */
		static const char before[] = "-+ #0,!'.*123456789hlLjtqzZ";

		/* a letter with a model is never a length */
		for (p++; *p && strchr(before, *p) && conversion(c, *p) == IR_NONE; p++)
			arg += *p == '*';
		if (!*p)
			break;
		if (*p != '%' && arg < call->nops) {
			struct insert x = { inst, conversion(c, *p), call->ops[arg++], 0, 0 };

			if (x.func != IR_NONE && IR_KIND(x.arg) == IR_R_VREG)
				vec_push(out, x);
		}
		p++;
	}
}

/* The text behind a conversion of a function that scans; NULL: there is none.
 * `%[^]x]` ends at the second bracket. */
static const char *behind_conversion(const char *p)
{
	if (*p == '[') {
		p += p[1] == '^' ? 2 : 1;
		p = *p ? strchr(p + 1, ']') : NULL;
	}
	return p && *p ? p + 1 : NULL;
}

/* The same for a function that scans, where a conversion with `*` has no argument, and the result does
 * not include `%n`. */
static void read_scanned(struct inserts *out, const struct formats *s, const struct conversions *c,
			 const struct ir_func *f, uint32_t inst, uint32_t arg)
{
	const struct ir_inst *call = &f->insts[inst];
	const char *p = s->m->globals.v[IR_IDX(call->ops[arg - 1])].text;
	uint32_t first = out->n, nth = 0;

	while (p && (p = strchr(p, '%')) && arg < call->nops) {
		struct insert x = { .inst = inst, .func = IR_NONE };
		bool dropped = *++p == '*';

		for (p += dropped; *p && strchr("'0123456789hlLjtqzZm", *p); p++)
			if (conversion(c, *p) != IR_NONE)
				x.func = conversion(c, *p);
		if (*p != '%' && *p && !dropped) {
			nth += *p != 'n';
			x.arg = call->ops[arg++];
			x.nth = nth;
			if (x.func != IR_NONE)
				vec_push(out, x);
		}
		p = behind_conversion(p);
	}
	for (uint32_t i = first; i < out->n; i++)
		out->v[i].of = nth;
}

static void find_calls(struct inserts *out, const struct formats *s, const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *g = in->op == IR_CALL ? ir_callee(s->m, in) : NULL;
		const struct conversions *c = g ? s->by_func[g - s->m->funcs.v] : NULL;
		uint32_t arg = c && g->flags & IR_FN_VARIADIC ? format_arg(g) : 0;

		if (arg && arg < in->nops && is_constant(s, in->ops[arg]))
			(c->scans ? read_scanned : read_format)(out, s, c, f, i, arg + 1);
	}
}

static struct ir_inst make_inst(struct ir_module *m, const struct ir_inst *after, enum ir_opcode op,
				uint32_t nops)
{
	struct ir_inst in = {
		.op = op, .cls = IR_C_INT, .res = IR_NONE, .block = after->block, .pos = after->pos,
		.member = IR_NONE, .nops = nops,
	};

	in.ops = arena_array(&m->arena, ir_ref, nops);
	return in;
}

static struct ir_inst make_call(struct ir_module *m, const struct ir_inst *after, const struct insert *x,
				ir_ref done)
{
	struct ir_inst in = make_inst(m, after, IR_CALL, x->nth ? 3 : 2);

	assert(after->op == IR_CALL && ir_is_decl(&m->funcs.v[x->func]));

	in.cls = IR_C_VOID;
	in.flags = IR_F_IMPLICIT;
	in.ops[0] = IR_REF(IR_R_FUNC, x->func);
	in.ops[1] = x->arg;
	if (x->nth)
		in.ops[2] = done;
	return in;
}

/* The new body of a function, while it is made. */
struct body {
	struct ir_inst *v;
	uint32_t n;
	uint32_t nvregs;
};

/* Was the conversion done?  It was if the call's result lies between the conversion's number and
 * the last one's.  Adds the instructions that compute this; gives the value. */
static ir_ref make_question(struct ir_module *m, const struct ir_inst *call, const struct insert *x,
			    struct body *to)
{
	struct ir_inst sub = make_inst(m, call, IR_BIN, 2), cmp = make_inst(m, call, IR_CMP, 2);

	assert(x->nth > 0 && x->nth <= x->of);
	if (call->res == IR_NONE || call->cls != IR_C_INT)
		return ir_int(m, 1);
	cmp.bits = sub.bits = call->bits;
	cmp.flags = sub.flags = IR_F_IMPLICIT;
	cmp.sub = IR_P_EQ;
	cmp.ops[0] = IR_VREG(call->res);
	cmp.ops[1] = ir_int(m, x->of);
	if (x->nth < x->of) {
		sub.sub = IR_B_SUB;
		sub.ops[0] = IR_VREG(call->res);
		sub.ops[1] = ir_int(m, x->nth);
		sub.res = to->nvregs++;
		to->v[to->n++] = sub;
		cmp.sub = IR_P_ULE;
		cmp.ops[0] = IR_VREG(sub.res);
		cmp.ops[1] = ir_int(m, x->of - x->nth);
	}
	cmp.res = to->nvregs++;
	to->v[to->n++] = cmp;
	return IR_VREG(cmp.res);
}

/* Puts the calls into the body.  They are in the order of instructions, which are
 * in the order of blocks. */
static void insert_calls(struct ir_module *m, struct ir_func *f, const struct inserts *ins)
{
	size_t room = (size_t)f->ninsts + 3 * (size_t)ins->n;	/* a question is two instructions */
	struct body to = { .nvregs = f->nvregs };
	uint32_t k = 0;

	to.v = arena_alloc(&m->arena, room * sizeof(*to.v));
	for (uint32_t b = 0; b < f->nblocks; b++) {
		struct ir_block *block = &f->blocks[b];
		uint32_t first = to.n;

		for (uint32_t i = block->first; i < block->first + block->n; i++) {
			const struct ir_inst *in = &f->insts[i];

			to.v[to.n++] = *in;
			for (; k < ins->n && ins->v[k].inst == i; k++) {
				const struct insert *x = &ins->v[k];
				ir_ref done = x->nth ? make_question(m, in, x, &to) : IR_UNDEF;

				to.v[to.n++] = make_call(m, in, x, done);
			}
		}
		block->first = first;
		block->n = to.n - first;
	}
	assert(k == ins->n && to.n <= room);
	f->insts = to.v;
	f->ninsts = to.n;
	f->nvregs = to.nvregs;
	ir_renumber(f);
	f->def = arena_array(&m->arena, uint32_t, f->nvregs);
	memset(f->def, 0xff, f->nparams * sizeof(*f->def));
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].res != IR_NONE)
			f->def[f->insts[i].res] = i;
}

void model_expand_formats(struct ir_module *m, const struct model_set *models)
{
	struct formats s = { .m = m };
	struct inserts ins = {0};

	find_models(&s, models);
	if (s.conv.n) {
		find_formatters(&s);
		for (uint32_t i = 0; i < m->funcs.n; i++) {
			vec_clear(&ins);
			find_calls(&ins, &s, &m->funcs.v[i]);
			if (ins.n)
				insert_calls(m, &m->funcs.v[i], &ins);
		}
	}
#ifdef PLUMB_DEBUG
	assert(ir_verify(m) == 0);
#endif
	vec_release(&ins);
	free(s.by_func);
	convmap_release(&s.conv);
}
