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
 * A model that speaks of arg2 is one of a function that scans, and tells by its result how
 * many conversions it has got done: arg2 is whether this one is among them.
 *
 * Here a call with a constant format gets a call of that name put after it for
 * each such conversion, and no engine needs to know of formats.  The format is
 * the last named parameter of a function with `...`, the one before the last of
 * a function that takes a va_list.  A function of the program that hands its own
 * format on to such a function is treated like it.
 *
 * Missed, so that a finding may be wrong: formats that are no literals, what is
 * beyond the part of a long literal that the IR keeps, `%2$z`; of scanning functions those of the program
 * that hand their format on.
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
	bool scans;			/* it returns how many are done */
	char letter[MAX_CONVERSIONS];
	uint32_t func[MAX_CONVERSIONS];	/* what is called for it */
};

#define MAP_NAME convmap
#define MAP_KEY const char *
#define MAP_VAL struct conversions
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct formats {
	struct ir_module *m;
	struct convmap conv;			/* by function's name */
	const struct conversions **by_func;	/* by number: its own, or those that it hands its format on to */
};

struct insert {
	uint32_t inst;		/* a call is put after this one */
	uint32_t func;
	ir_ref arg;
	uint32_t nth, of;	/* a function that scans: which conversion it is, from 1; else 0 */
};

VEC_TYPE(inserts, struct insert);

/* ---- which functions ---- */

/* Does the model have a condition on its second argument? */
static bool asks_if_done(const struct model *md)
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

/* Models by the name of a function, a blank, % and a letter. */
static void find_models(struct formats *s, const struct model_set *models)
{
	for (unsigned i = 0; i < model_count(models); i++) {
		const char *name = model_at(models, i)->name, *sign = strstr(name, " %");
		struct conversions *c;
		const char *of;

		if (!sign || sign == name || !sign[2] || sign[3] || model_find(models, name) != model_at(models, i))
			continue;
		of = ir_intern_n(s->m, name, (size_t)(sign - name));
		if (ir_find_func(s->m, of) == IR_NONE)
			continue;
		c = convmap_put(&s->conv, of, NULL);
		if (c->n < MAX_CONVERSIONS) {
			c->scans = asks_if_done(model_at(models, i));
			c->letter[c->n] = sign[2];
			c->func[c->n++] = declare(s->m, name, c->scans);
		}
	}
}

/* The number of the argument that is the format, from 1; 0 if there is none. */
static uint32_t format_arg(const struct ir_func *f)
{
	return f->flags & IR_FN_VARIADIC ? f->nparams : f->nparams ? f->nparams - 1 : 0;
}

/* Is the value a parameter of the function, given by its number from 1? */
static bool is_param(const struct ir_func *f, ir_ref r, uint32_t param)
{
	const struct ir_inst *load = ir_def(f, r);

	return load && load->op == IR_LOAD && IR_KIND(load->ops[0]) == IR_R_SLOT &&
	       f->slots[IR_IDX(load->ops[0])].param == param;
}

/* What f hands its own format on to; NULL if to nobody. */
static const struct conversions *hands_on(const struct formats *s, const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *g = in->op == IR_CALL ? ir_callee(s->m, in) : NULL;
		uint32_t arg = g ? format_arg(g) : 0;

		if (arg && arg < in->nops && s->by_func[g - s->m->funcs.v] && is_param(f, in->ops[arg], format_arg(f)))
			return s->by_func[g - s->m->funcs.v];
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
			s->by_func[i] = hands_on(s, f);
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

/* The model's function for a letter, or IR_NONE. */
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
		/* flags, width, precision, length; a letter with a model is never a length */
		for (p++; *p && strchr("-+ #0,!'.*123456789hlLjtqzZ", *p) && conversion(c, *p) == IR_NONE; p++)
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

/* Behind a conversion of a function that scans: `%[^]x]` ends at the second bracket. */
static const char *behind_conversion(const char *p)
{
	if (*p == '[') {
		p += p[1] == '^' ? 2 : 1;
		p = *p ? strchr(p + 1, ']') : NULL;
	}
	return p && *p ? p + 1 : NULL;
}

/* The same for a function that scans, where `*` takes no argument, and `%n` does not count. */
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

static struct ir_inst make_inst(struct ir_module *m, const struct ir_inst *after, enum ir_opcode op, uint32_t nops)
{
	struct ir_inst in = { .op = op, .cls = IR_C_INT, .res = IR_NONE, .block = after->block, .pos = after->pos,
			      .member = IR_NONE, .nops = nops };

	in.ops = arena_array(&m->arena, ir_ref, nops);
	return in;
}

static struct ir_inst make_call(struct ir_module *m, const struct ir_inst *after, const struct insert *x, ir_ref done)
{
	struct ir_inst in = make_inst(m, after, IR_CALL, x->nth ? 3 : 2);

	in.cls = IR_C_VOID;
	in.flags = IR_F_IMPLICIT;
	in.ops[0] = IR_REF(IR_R_FUNC, x->func);
	in.ops[1] = x->arg;
	if (x->nth)
		in.ops[2] = done;
	return in;
}

/* Was the conversion done?  The result is between its number and the last one's; numbers from
 * *next on are free for what is computed.  Adds to v, of which there are *n. */
static ir_ref make_question(struct ir_module *m, const struct ir_inst *call, const struct insert *x, struct ir_inst *v,
			    uint32_t *n, uint32_t *next)
{
	struct ir_inst sub = make_inst(m, call, IR_BIN, 2), cmp = make_inst(m, call, IR_CMP, 2);

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
		sub.res = (*next)++;
		v[(*n)++] = sub;
		cmp.sub = IR_P_ULE;
		cmp.ops[0] = IR_VREG(sub.res);
		cmp.ops[1] = ir_int(m, x->of - x->nth);
	}
	cmp.res = (*next)++;
	v[(*n)++] = cmp;
	return IR_VREG(cmp.res);
}

/* Puts the calls into the body.  They are in the order of instructions, which are
 * in the order of blocks. */
static void insert_calls(struct ir_module *m, struct ir_func *f, const struct inserts *ins)
{
	struct ir_inst *v = arena_alloc(&m->arena, ((size_t)f->ninsts + 3 * ins->n) * sizeof(*v));
	uint32_t n = 0, k = 0, next = f->nvregs;

	for (uint32_t b = 0; b < f->nblocks; b++) {
		struct ir_block *block = &f->blocks[b];
		uint32_t first = n;

		for (uint32_t i = block->first; i < block->first + block->n; i++) {
			v[n++] = f->insts[i];
			for (; k < ins->n && ins->v[k].inst == i; k++) {
				const struct insert *x = &ins->v[k];
				ir_ref done = x->nth ? make_question(m, &f->insts[i], x, v, &n, &next) : IR_UNDEF;

				v[n++] = make_call(m, &f->insts[i], x, done);
			}
		}
		block->first = first;
		block->n = n - first;
	}
	assert(k == ins->n && n <= f->ninsts + 3 * ins->n);
	f->insts = v;
	f->ninsts = n;
	f->nvregs = next;
	ir_renumber(f);
	f->def = arena_array(&m->arena, uint32_t, f->nvregs);
	memset(f->def, 0xff, f->nparams * sizeof(*f->def));
	for (uint32_t i = 0; i < n; i++)
		if (v[i].res != IR_NONE)
			f->def[v[i].res] = i;
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
