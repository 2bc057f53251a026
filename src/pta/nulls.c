/*
 * nulls.c - which parameters are ever given a null pointer, as far as the program shows.
 *
 * `if (table == NULL) table = table_create();` at the head of a function that always
 * gets a table is prudence, not a path of the program.  A parameter may be null if a
 * caller passes the constant, the result of a function that may return null, or a parameter
 * of its own that may be null; and if not all callers are in sight: the function is visible
 * to others or its address is taken.
 *
 * Which way this errs: what is loaded from memory is taken not to be null, since
 * nothing shows that it is.  A leak that needs a null member as argument is missed where
 * a caller asks nothing else.
 */
#include "pta/nulls.h"

#include "base/vec.h"

enum { MAX_DEPTH = 8 };

struct pass {			/* a parameter is handed on as another one's argument */
	uint32_t from, to;
};

struct finder {
	struct nulls *n;
	const struct pta *p;
	bool (*returns_some)(const void *arg, uint32_t func);
	const void *arg;
	VEC(struct pass) passes;
};

static bool is_some(const struct finder *x, const struct ir_inst *call)
{
	const struct ir_module *m = x->n->m;
	const struct ir_func *g = ir_callee(m, call);

	if (!x->returns_some || !g || ir_is_decl(g))
		return false;
	return x->returns_some(x->arg, (uint32_t)(g - m->funcs.v));
}

/* The operand is passed as parameter `to`: may it be null? */
static void look_at(struct finder *x, uint32_t func, ir_ref r, uint32_t to, int depth)
{
	const struct ssa *s = pta_ssa(x->p, func);
	const struct ir_inst *d;

	r = ssa_ref(s, r);
	if (r == IR_NULL || depth > MAX_DEPTH || (IR_KIND(r) == IR_R_INT && !ir_int_value(x->n->m, r))) {
		bits_set(&x->n->given, to);
		return;
	}
	if (IR_KIND(r) != IR_R_VREG || bits_test(&x->n->given, to))
		return;
	if (ssa_is_phi(s, r)) {
		const struct ssa_phi *p = ssa_phi(s, r);

		for (uint32_t k = 0; k < s->f->blocks[p->block].npred; k++)
			look_at(x, func, p->args[k], to, depth + 1);
		return;
	}
	if (IR_IDX(r) < s->f->nparams) {
		vec_push(&x->passes, ((struct pass){ x->n->row[func] + IR_IDX(r), to }));
		return;
	}
	d = ssa_def(s, r);
	if (!d || (d->op == IR_CALL && !is_some(x, d)) || d->op == IR_VAARG || d->op == IR_EXTRACT)
		bits_set(&x->n->given, to);
	else if (d->op == IR_COPY || d->op == IR_CAST)
		look_at(x, func, d->ops[0], to, depth + 1);
	else if (d->op == IR_PHI || d->op == IR_SELECT)
		for (uint32_t k = d->op == IR_SELECT; k < d->nops; k++)
			look_at(x, func, d->ops[k], to, depth + 1);
}

static void give_all(struct nulls *n, uint32_t func)
{
	for (uint32_t k = n->row[func]; k < n->row[func + 1]; k++)
		bits_set(&n->given, k);
}

/* Functions with callers out of sight. */
static void find_entries(struct nulls *n)
{
	struct bits closed;

	ir_called_by_name(n->m, &closed);
	for (uint32_t f = 0; f < n->m->funcs.n; f++)
		if (!bits_test(&closed, f))
			give_all(n, f);
	bits_release(&closed);
}

static void find_passed(struct finder *x)
{
	const struct ir_module *m = x->n->m;
	struct bits called;

	bits_init(&called, m->funcs.n + 1);
	for (uint32_t f = 0; f < m->funcs.n; f++)
		for (uint32_t i = 0; i < m->funcs.v[f].ninsts; i++) {
			const struct ir_inst *in = &m->funcs.v[f].insts[i];
			const struct ir_func *g = in->op == IR_CALL ? ir_callee(m, in) : NULL;

			if (g)
				bits_set(&called, (uint32_t)(g - m->funcs.v));
			for (uint32_t k = 0; g && !ir_is_decl(g) && k < g->nparams; k++) {
				uint32_t to = x->n->row[g - m->funcs.v] + k;

				assert(to < x->n->row[g - m->funcs.v + 1]);
				if (k + 1 >= in->nops)
					bits_set(&x->n->given, to);
				else if (g->params[k].cls == IR_C_PTR)
					look_at(x, f, in->ops[k + 1], to, 0);
			}
		}
	for (uint32_t f = 0; f < m->funcs.n; f++)	/* meant for somebody all the same */
		if (!bits_test(&called, f))
			give_all(x->n, f);
	bits_release(&called);
}

void nulls_init(struct nulls *n, const struct pta *p, bool (*returns_some)(const void *arg, uint32_t func),
		const void *arg)
{
	struct finder x = { .n = n, .p = p, .returns_some = returns_some, .arg = arg };
	bool more = true;

	n->m = pta_module(p);
	n->row = xcalloc((size_t)n->m->funcs.n + 1, sizeof(*n->row));
	for (uint32_t f = 0; f < n->m->funcs.n; f++)
		n->row[f + 1] = n->row[f] + (ir_is_decl(&n->m->funcs.v[f]) ? 0 : n->m->funcs.v[f].nparams);
	bits_init(&n->given, n->row[n->m->funcs.n] + 1);
	find_entries(n);
	find_passed(&x);
	while (more) {
		more = false;
		for (uint32_t i = 0; i < x.passes.n; i++)
			if (bits_test(&n->given, x.passes.v[i].from))
				more |= bits_set(&n->given, x.passes.v[i].to);
	}
	vec_release(&x.passes);
}

void nulls_release(struct nulls *n)
{
	free(n->row);
	bits_release(&n->given);
}

bool nulls_may_be(const struct nulls *n, uint32_t func, uint32_t param)
{
	assert(n->row[func] + param < n->row[func + 1]);
	return bits_test(&n->given, n->row[func] + param);
}
