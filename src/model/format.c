/*
 * format.c - what a conversion in a format does to its argument.
 *
 * sqlite3_mprintf("%z, %s", a, b) frees a and leaves b alone.  A model of the
 * function cannot say so, since its arguments are not always the same; so a
 * model is given to the conversion, under the name of the function and the
 * conversion, with the converted argument as arg1:
 *
 *	"sqlite3_mprintf %z" { free arg1; }
 *
 * Here a call with a constant format gets a call of that name put after it for
 * each such conversion, and no engine needs to know of formats.  The format is
 * the last named parameter of a function with `...`, the one before the last of
 * a function that takes a va_list.  A function of the program that hands its own
 * format on to such a function is treated like it.
 *
 * Missed, so that a finding may be wrong: formats that are no literals, what is
 * beyond the part of a long literal that the IR keeps, `%2$z`.
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
};

VEC_TYPE(inserts, struct insert);

/* ---- which functions ---- */

/* A declaration of a function that takes a pointer. */
static uint32_t declare(struct ir_module *m, const char *name)
{
	uint32_t f = ir_add_func(m, name, IR_L_DECL);
	struct ir_param *p = arena_calloc(&m->arena, 1, sizeof(*p));

	p->cls = IR_C_PTR;
	p->bits = 64;
	m->funcs.v[f].nparams = 1;
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
			c->letter[c->n] = sign[2];
			c->func[c->n++] = declare(s->m, name);
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
			struct insert x = { inst, conversion(c, *p), call->ops[arg++] };

			if (x.func != IR_NONE && IR_KIND(x.arg) == IR_R_VREG)
				vec_push(out, x);
		}
		p++;
	}
}

static void find_calls(struct inserts *out, const struct formats *s, const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *g = in->op == IR_CALL ? ir_callee(s->m, in) : NULL;
		const struct conversions *c = g ? s->by_func[g - s->m->funcs.v] : NULL;
		uint32_t arg = c && g->flags & IR_FN_VARIADIC ? format_arg(g) : 0;

		if (arg && arg < in->nops && is_constant(s, in->ops[arg]))
			read_format(out, s, c, f, i, arg + 1);
	}
}

static struct ir_inst make_call(struct ir_module *m, const struct ir_inst *after, const struct insert *x)
{
	struct ir_inst in = { .op = IR_CALL, .cls = IR_C_VOID, .res = IR_NONE, .flags = IR_F_IMPLICIT,
			      .block = after->block, .member = after->member, .pos = after->pos, .nops = 2 };

	in.ops = arena_alloc(&m->arena, 2 * sizeof(*in.ops));
	in.ops[0] = IR_REF(IR_R_FUNC, x->func);
	in.ops[1] = x->arg;
	return in;
}

/* Puts the calls into the body.  They are in the order of instructions, which are
 * in the order of blocks. */
static void insert_calls(struct ir_module *m, struct ir_func *f, const struct inserts *ins)
{
	struct ir_inst *v = arena_alloc(&m->arena, ((size_t)f->ninsts + ins->n) * sizeof(*v));
	uint32_t n = 0, k = 0;

	for (uint32_t b = 0; b < f->nblocks; b++) {
		struct ir_block *block = &f->blocks[b];
		uint32_t first = n;

		for (uint32_t i = block->first; i < block->first + block->n; i++) {
			if (f->insts[i].res != IR_NONE)
				f->def[f->insts[i].res] = n;
			v[n++] = f->insts[i];
			for (; k < ins->n && ins->v[k].inst == i; k++)
				v[n++] = make_call(m, &f->insts[i], &ins->v[k]);
		}
		block->first = first;
		block->n = n - first;
	}
	assert(k == ins->n && n == f->ninsts + ins->n);
	f->insts = v;
	f->ninsts = n;
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
