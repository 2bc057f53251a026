/*
 * code.c - see code.h.
 */
#include "path/code.h"

enum { MAX_NODES = 12, MAX_BITS = 1024 };	/* as cond.c has it; wider than any integer */

/* Who adds a member to one of these writes and reads it here, and then counts again. */
#define KNOWN(type, size) \
	_Static_assert(sizeof(void *) != 8 || sizeof(type) == (size), #type " has changed: so must code.c")
KNOWN(struct place, 72);
KNOWN(struct sval, 120);
KNOWN(struct scond, 120);
KNOWN(struct snode, 88);
KNOWN(struct sterm, 24);
KNOWN(struct seffect, 216);
KNOWN(struct snew, 32);
KNOWN(struct scase, 224);
KNOWN(struct summary, 24);
KNOWN(struct step, 24);
KNOWN(struct wrong, 80);
KNOWN(struct site, 88);
KNOWN(struct given, 16);
KNOWN(struct result, 64);

/* What is being read or written. */
struct coder {
	const struct engine *e;
	const struct ir_func *f;	/* reading: whose */
	struct sbuf *out;
	struct bytes *in;
	bool bad;			/* writing: something has no name */
	uint32_t nnews;			/* reading: of this case */
};

/* ---- functions, globals, models -------------------------------------- */

static void put_func(struct coder *c, uint32_t func)
{
	put_u64(c->out, func == IR_NONE ? 0 : c->e->ids.func[func]);
}

static uint32_t get_func(struct coder *c, bool or_none)
{
	uint64_t id = get_u64(c->in);
	uint32_t f = id ? ident_find_func(&c->e->ids, id) : IR_NONE;

	if (f == IR_NONE && (id || !or_none))
		c->in->bad = true;
	return f;
}

/* An instruction, or IR_NONE. */
static void put_inst(struct coder *c, uint32_t inst)
{
	put_num(c->out, inst == IR_NONE ? 0 : (uint64_t)inst + 1);
}

static uint32_t get_inst(struct coder *c, const struct ir_func *f)
{
	uint64_t x = get_below(c->in, (uint64_t)f->ninsts + 1);

	return x ? (uint32_t)(x - 1) : IR_NONE;
}

/* An instruction of whatever function.  What plumb fix adds to one moves all behind it, which must not make
 * another summary of it for those who were told where it does something. */
static void put_inst_of(struct coder *c, uint32_t func, uint32_t inst)
{
	bool moved = func != IR_NONE && inst != IR_NONE && bits_test(&c->e->edited, func);

	put_inst(c, moved ? ident_inst(&c->e->m->funcs.v[func], inst) : inst);
}

static uint32_t get_inst_of(struct coder *c, uint32_t func)
{
	uint32_t i = get_inst(c, &c->e->m->funcs.v[func]);
	bool moved = i != IR_NONE && !c->in->bad && bits_test(&c->e->edited, func);

	return moved ? ident_find_inst(&c->e->m->funcs.v[func], i) : i;
}

static uint32_t get_this_inst(struct coder *c)
{
	uint32_t i = get_inst(c, c->f);

	c->in->bad |= i == IR_NONE;
	return c->in->bad ? 0 : i;
}

static void put_symbol(struct coder *c, ir_ref r)
{
	bool is_func = IR_KIND(r) == IR_R_FUNC;

	c->bad |= !is_func && IR_KIND(r) != IR_R_GLOBAL;
	put_num(c->out, is_func);
	put_u64(c->out, c->bad ? 0 : is_func ? c->e->ids.func[IR_IDX(r)] : c->e->ids.global[IR_IDX(r)]);
}

static ir_ref get_symbol(struct coder *c)
{
	bool is_func = get_below(c->in, 2);
	uint64_t id = get_u64(c->in);
	uint32_t i = is_func ? ident_find_func(&c->e->ids, id) : ident_find_global(&c->e->ids, id);

	c->in->bad |= i == IR_NONE;
	return c->in->bad ? IR_NULL : IR_REF(is_func ? IR_R_FUNC : IR_R_GLOBAL, i);
}

/* The model that an effect is of. */
static const struct model *model_of(const struct model_set *s, const struct model_effect *e, unsigned *nth)
{
	for (unsigned i = 0; i < model_count(s); i++) {
		const struct model *m = model_at(s, i);

		if (e >= m->effects && e < m->effects + m->neffects) {
			*nth = (unsigned)(e - m->effects);
			return m;
		}
	}
	return NULL;
}

static void put_effect(struct coder *c, const struct model_effect *e)
{
	unsigned nth = 0;
	const struct model *m = e ? model_of(c->e->models, e, &nth) : NULL;

	c->bad |= e && !m;
	put_str(c->out, m ? m->name : "");
	if (m)
		put_num(c->out, nth);
}

static const struct model_effect *get_effect(struct coder *c, bool or_none)
{
	const char *name = get_str(c->in);
	const struct model *m = *name ? model_find(c->e->models, name) : NULL;
	uint64_t nth = *name ? get_num(c->in) : 0;
	const struct model_effect *e = m && nth < m->neffects ? &m->effects[nth] : NULL;

	/* those who ask for one ask which resource it makes */
	if ((!e && (*name || !or_none)) || (e && !e->value.resource))
		c->in->bad = true;
	return c->in->bad ? NULL : e;
}

static void put_resource(struct coder *c, const struct resource *r)
{
	put_str(c->out, r ? r->name : "");
}

static const struct resource *get_resource(struct coder *c)
{
	const char *name = get_str(c->in);
	const struct resource *r = *name ? resources_find(model_resources(c->e->models), name) : NULL;

	c->in->bad |= *name && !r;
	return r;
}

/* ---- places and values ----------------------------------------------- */

static void put_place(struct coder *c, const struct place *p)
{
	put_num(c->out, p->base);
	if (p->base == PLACE_GLOBAL)
		put_u64(c->out, c->e->ids.global[p->index]);
	else
		put_num(c->out, p->index);
	put_num(c->out, p->bits);
	put_num(c->out, p->nsteps);
	for (unsigned i = 0; i < p->nsteps; i++) {
		put_int(c->out, p->step[i].off);
		put_num(c->out, p->step[i].any);
	}
}

/* news: may it begin at an object that the case makes? */
static void get_place(struct coder *c, struct place *p, bool news)
{
	memset(p, 0, sizeof(*p));
	p->base = (uint8_t)get_below(c->in, PLACE_VARARGS + 1);
	switch ((enum place_base)p->base) {
	case PLACE_ARG:
		p->index = (uint32_t)get_below(c->in, c->f->nparams);
		break;
	case PLACE_VARARGS:
		p->index = (uint32_t)get_below(c->in, (uint64_t)c->f->nparams + 1);
		break;
	case PLACE_GLOBAL:
		p->index = ident_find_global(&c->e->ids, get_u64(c->in));
		c->in->bad |= p->index == IR_NONE;
		break;
	case PLACE_NEW:
		p->index = (uint32_t)get_below(c->in, news ? c->nnews : 0);
		break;
	}
	p->bits = (uint8_t)get_below(c->in, 66);
	p->nsteps = (uint8_t)get_below(c->in, PLACE_STEPS + 1);
	for (unsigned i = 0; i < p->nsteps; i++) {
		p->step[i].off = get_int(c->in);
		p->step[i].any = get_below(c->in, 2);
	}
}

static bool has_place(const struct sval *v)
{
	return v->kind == SVAL_PLACE || v->kind == SVAL_SUM || v->kind == SVAL_INTO;
}

static void put_value(struct coder *c, const struct sval *v)
{
	put_num(c->out, v->kind);
	if (v->kind == SVAL_NEW)
		put_num(c->out, v->index);
	if (v->kind == SVAL_SYMBOL)
		put_symbol(c, v->symbol);
	if (has_place(v))
		put_place(c, &v->place);
	put_int(c->out, v->off);
	put_int(c->out, v->lo);
	put_int(c->out, v->hi);
	put_num(c->out, v->not_zero);
}

static void get_value(struct coder *c, struct sval *v)
{
	memset(v, 0, sizeof(*v));
	v->kind = (uint8_t)get_below(c->in, SVAL_SYMBOL + 1);
	if (v->kind == SVAL_NEW)
		v->index = (uint32_t)get_below(c->in, c->nnews);
	if (v->kind == SVAL_SYMBOL)
		v->symbol = get_symbol(c);
	if (has_place(v))
		get_place(c, &v->place, true);
	v->off = get_int(c->in);
	v->lo = get_int(c->in);
	v->hi = get_int(c->in);
	v->not_zero = get_below(c->in, 2);
}

static void put_new(struct coder *c, const struct snew *n)
{
	put_func(c, n->func);
	put_inst_of(c, n->func, n->inst);
	put_str(c->out, n->allocator ? n->allocator : "");
	c->bad |= n->func != IR_NONE && !n->effect;
	put_effect(c, n->effect);
	put_num(c->out, n->nth);
	put_num(c->out, (uint64_t)n->part << 2 | (uint64_t)n->zeroed << 1 | n->nonnull);
}

/* or_none: there need not be an object. */
static void get_new(struct coder *c, struct snew *n, bool or_none)
{
	const char *allocator;
	unsigned flags;

	n->func = get_func(c, or_none);
	if (n->func == IR_NONE && !or_none)
		return;
	n->inst = n->func == IR_NONE ? get_inst(c, c->f) : get_inst_of(c, n->func);
	c->in->bad |= (n->inst == IR_NONE) != (n->func == IR_NONE);
	if (n->inst != IR_NONE && !c->in->bad)
		c->in->bad |= c->e->m->funcs.v[n->func].insts[n->inst].op != IR_CALL;
	allocator = get_str(c->in);
	n->allocator = ident_name(&c->e->ids, allocator);
	c->in->bad |= !n->allocator && n->func != IR_NONE;
	n->effect = get_effect(c, n->func == IR_NONE);
	n->nth = (uint32_t)get_below(c->in, UINT32_MAX);
	flags = (unsigned)get_below(c->in, 8);
	n->part = flags >> 2;
	n->zeroed = flags >> 1 & 1;
	n->nonnull = flags & 1;
}

/* ---- cases ----------------------------------------------------------- */

static void put_conds(struct coder *c, const struct scase *k)
{
	put_num(c->out, k->conds.n);
	for (uint32_t i = 0; i < k->conds.n; i++) {
		const struct scond *x = &k->conds.v[i];

		put_place(c, &x->place);
		put_int(c->out, x->lo);
		put_int(c->out, x->hi);
		put_num(c->out, x->not_zero);
		put_num(c->out, x->zeros);
		put_num(c->out, x->ones);
		put_num(c->out, x->some);
	}
}

static void get_conds(struct coder *c, struct scase *k)
{
	uint32_t n = get_count(c->in);

	for (uint32_t i = 0; i < n && !c->in->bad; i++) {
		struct scond x = {0};

		get_place(c, &x.place, false);
		x.lo = get_int(c->in);
		x.hi = get_int(c->in);
		x.not_zero = get_below(c->in, 2);
		x.zeros = get_num(c->in);
		x.ones = get_num(c->in);
		x.some = get_num(c->in);
		vec_push(&k->conds, x);
	}
}

static void put_term(struct coder *c, const struct sterm *t)
{
	put_num(c->out, (uint64_t)t->nodes.n << 1 | t->truth);
	for (uint32_t i = 0; i < t->nodes.n; i++) {
		const struct snode *n = &t->nodes.v[i];

		put_num(c->out, n->op);
		if (n->op == SNODE_PLACE) {
			put_place(c, &n->place);
		} else if (n->op == SNODE_CONST) {
			put_int(c->out, n->value);
		} else if (n->op == SNODE_SYMBOL) {
			put_symbol(c, (ir_ref)n->value);
		} else {
			put_num(c->out, n->sub);
			put_num(c->out, n->bits);
			put_num(c->out, n->a);
			put_num(c->out, n->b);
		}
	}
}

static unsigned subs_of(unsigned op)
{
	switch (op) {
	case IR_BIN: return IR_B__COUNT;
	case IR_CMP: return IR_P__COUNT;
	case IR_CAST: return IR_CAST__COUNT;
	default: return 256;
	}
}

static void get_node(struct coder *c, struct snode *n, uint32_t before)
{
	n->op = (uint8_t)get_below(c->in, 256);
	switch (n->op) {
	case SNODE_PLACE:
		get_place(c, &n->place, false);
		break;
	case SNODE_CONST:
		n->value = get_int(c->in);
		break;
	case SNODE_SYMBOL:
		n->value = get_symbol(c);
		break;
	case IR_BIN:
	case IR_CMP:
	case IR_CAST:
	case SYM_NOT:
	case SYM_TEXT:
		n->sub = (uint8_t)get_below(c->in, subs_of(n->op));
		n->bits = (uint16_t)get_below(c->in, MAX_BITS);
		n->a = (uint8_t)get_below(c->in, before);
		n->b = (uint8_t)get_below(c->in, before);
		break;
	default:
		c->in->bad = true;
		break;
	}
}

static void get_term(struct coder *c, struct sterm *t)
{
	uint64_t head = get_below(c->in, (MAX_NODES + 1) << 1);

	t->truth = head & 1;
	for (uint32_t i = 0; i < head >> 1 && !c->in->bad; i++) {
		struct snode n = {0};

		get_node(c, &n, i);
		vec_push(&t->nodes, n);
	}
	c->in->bad |= !t->nodes.n;
}

static void put_effects(struct coder *c, const struct scase *k)
{
	put_num(c->out, k->effects.n);
	for (uint32_t i = 0; i < k->effects.n; i++) {
		const struct seffect *x = &k->effects.v[i];

		put_num(c->out, x->kind);
		put_place(c, &x->place);
		put_value(c, &x->v);
		put_num(c->out, x->if_there);
		put_resource(c, x->resource);
		put_func(c, x->func);
		put_inst_of(c, x->func, x->inst);
	}
}

static void get_effects(struct coder *c, struct scase *k)
{
	uint32_t n = get_count(c->in);

	for (uint32_t i = 0; i < n && !c->in->bad; i++) {
		struct seffect x = {0};

		x.kind = (uint8_t)get_below(c->in, SEFF_COPY + 1);
		get_place(c, &x.place, true);
		get_value(c, &x.v);
		c->in->bad |= x.kind == SEFF_COPY && !has_place(&x.v);
		x.if_there = get_below(c->in, 2);
		x.resource = get_resource(c);
		x.func = get_func(c, false);
		x.inst = c->in->bad ? IR_NONE : get_inst_of(c, x.func);
		vec_push(&k->effects, x);
	}
}

static void put_case(struct coder *c, const struct scase *k)
{
	put_num(c->out, (uint64_t)k->noreturn | (uint64_t)k->returns << 1 | (uint64_t)k->lossy << 2 |
				(uint64_t)k->asks << 3);
	put_num(c->out, k->news.n);
	for (uint32_t i = 0; i < k->news.n; i++)
		put_new(c, &k->news.v[i]);
	put_conds(c, k);
	put_num(c->out, k->terms.n);
	for (uint32_t i = 0; i < k->terms.n; i++)
		put_term(c, &k->terms.v[i]);
	put_effects(c, k);
	put_value(c, &k->ret);
	put_num(c->out, k->parts.n);
	for (uint32_t i = 0; i < k->parts.n; i++)
		put_value(c, &k->parts.v[i]);
}

static void get_case(struct coder *c, struct scase *k)
{
	unsigned flags = (unsigned)get_below(c->in, 16);
	uint32_t n = get_count(c->in);

	k->noreturn = flags & 1;
	k->returns = flags >> 1 & 1;
	k->lossy = flags >> 2 & 1;
	k->asks = flags >> 3;
	for (uint32_t i = 0; i < n && !c->in->bad; i++) {
		struct snew x = {0};

		get_new(c, &x, false);
		vec_push(&k->news, x);
	}
	c->nnews = k->news.n;
	get_conds(c, k);
	n = get_count(c->in);
	for (uint32_t i = 0; i < n && !c->in->bad; i++)
		get_term(c, vec_add(&k->terms, 1));
	get_effects(c, k);
	get_value(c, &k->ret);
	n = get_count(c->in);
	for (uint32_t i = 0; i < n && !c->in->bad; i++)
		get_value(c, vec_add(&k->parts, 1));
}

/* ---- summaries ------------------------------------------------------- */

bool code_put_summary(const struct engine *e, const struct summary *s, struct sbuf *out)
{
	struct coder c = { .e = e, .out = out };

	put_num(out, (uint64_t)s->done | (uint64_t)s->cut << 1 | (uint64_t)s->wild << 2 |
			     (uint64_t)s->vague << 3 | (uint64_t)s->wraps << 4);
	put_num(out, s->cases.n);
	for (uint32_t i = 0; i < s->cases.n; i++)
		put_case(&c, &s->cases.v[i]);
	return !c.bad;
}

bool code_get_summary(const struct engine *e, uint32_t func, struct summary *s, struct bytes *in)
{
	struct coder c = { .e = e, .f = &e->m->funcs.v[func], .in = in };
	unsigned flags = (unsigned)get_below(in, 32);
	uint32_t n = get_count(in);

	s->done = flags & 1;
	s->cut = flags >> 1 & 1;
	s->wild = flags >> 2 & 1;
	s->vague = flags >> 3 & 1;
	s->wraps = flags >> 4;
	for (uint32_t i = 0; i < n && !in->bad; i++)
		get_case(&c, vec_add(&s->cases, 1));
	return !in->bad && s->done;
}

/* ---- results --------------------------------------------------------- */

static void put_wrong(struct coder *c, const struct wrong *w)
{
	put_num(c->out, w->kind);
	put_new(c, &w->made);
	put_inst(c, w->call);
	put_inst(c, w->at);
	put_num(c->out, (uint64_t)w->inside << 2 | (uint64_t)w->sure << 1 | w->exact);
	put_u64(c->out, w->nulls);
	put_num(c->out, w->steps.n);
	for (uint32_t i = 0; i < w->steps.n; i++) {
		const struct step *s = &w->steps.v[i];

		put_num(c->out, (uint64_t)s->kind << 1 | s->open);
		put_inst(c, s->inst);
		put_num(c->out, s->target);
		put_u64(c->out, s->base);
	}
}

static void get_step(struct coder *c, struct step *s)
{
	unsigned head = (unsigned)get_below(c->in, (STEP_MADE + 1) << 1);

	s->kind = (uint8_t)(head >> 1);
	s->open = head & 1;
	s->inst = get_this_inst(c);
	if (c->in->bad)
		return;
	c->in->bad |= s->kind == STEP_BRANCH && !ir_is_term(&c->f->insts[s->inst]);
	s->target = (uint32_t)get_below(c->in, s->kind == STEP_BRANCH ? c->f->insts[s->inst].ntargets : 1);
	s->base = get_u64(c->in);
	c->in->bad |= s->kind == STEP_CALL && c->f->insts[s->inst].op != IR_CALL;
}

static void get_wrong(struct coder *c, struct wrong *w)
{
	unsigned flags;
	uint32_t n;

	w->kind = (uint8_t)get_below(c->in, WRONG_USE_AFTER_FREE + 1);
	get_new(c, &w->made, w->kind >= WRONG_DOUBLE_FREE);
	w->call = get_this_inst(c);
	c->in->bad |= c->in->bad || c->f->insts[w->call].op != IR_CALL;
	w->at = get_this_inst(c);
	flags = (unsigned)get_below(c->in, 8);
	w->inside = flags >> 2;
	w->sure = flags >> 1 & 1;
	w->exact = flags & 1;
	w->nulls = get_u64(c->in);
	n = get_count(c->in);
	for (uint32_t i = 0; i < n && !c->in->bad; i++)
		get_step(c, vec_add(&w->steps, 1));
}

static void put_site(struct coder *c, const struct site *s)
{
	put_new(c, &s->made);
	put_inst(c, s->call);
	put_num(c->out, s->freed);
	put_num(c->out, s->escaped);
	put_num(c->out, s->returned);
	put_num(c->out, s->leaked);
	put_num(c->out, s->ended);
	put_num(c->out, s->open);
	put_u64(c->out, s->nulls);
	put_num(c->out, bits_count(&s->settled));
	for (uint32_t i = bits_next(&s->settled, 0); i != UINT32_MAX; i = bits_next(&s->settled, i + 1))
		put_num(c->out, i);
}

static void get_site(struct coder *c, struct site *s)
{
	uint32_t n;

	bits_init(&s->settled, c->f->ninsts + 1);
	get_new(c, &s->made, false);
	s->call = get_this_inst(c);
	s->freed = (uint32_t)get_below(c->in, UINT32_MAX);
	s->escaped = (uint32_t)get_below(c->in, UINT32_MAX);
	s->returned = (uint32_t)get_below(c->in, UINT32_MAX);
	s->leaked = (uint32_t)get_below(c->in, UINT32_MAX);
	s->ended = (uint32_t)get_below(c->in, UINT32_MAX);
	s->open = get_below(c->in, 2);
	s->nulls = get_u64(c->in);
	n = get_count(c->in);
	for (uint32_t i = 0; i < n && !c->in->bad; i++)
		bits_set(&s->settled, (uint32_t)get_below(c->in, c->f->ninsts));
}

bool code_put_result(const struct engine *e, const struct result *r, struct sbuf *out)
{
	struct coder c = { .e = e, .out = out };

	put_num(out, r->cut);
	put_num(out, r->blocks);
	put_num(out, r->paths);
	put_num(out, r->wrongs.n);
	for (uint32_t i = 0; i < r->wrongs.n; i++)
		put_wrong(&c, &r->wrongs.v[i]);
	put_num(out, r->sites.n);
	for (uint32_t i = 0; i < r->sites.n; i++)
		put_site(&c, &r->sites.v[i]);
	put_num(out, r->given.n);
	for (uint32_t i = 0; i < r->given.n; i++) {
		put_func(&c, r->given.v[i].callee);
		put_u64(out, r->given.v[i].nulls);
	}
	return !c.bad;
}

bool code_get_result(const struct engine *e, uint32_t func, struct result *r, struct bytes *in)
{
	struct coder c = { .e = e, .f = &e->m->funcs.v[func], .in = in };
	uint32_t n;

	r->cut = get_below(in, 2);
	r->blocks = (uint32_t)get_below(in, UINT32_MAX);
	r->paths = (uint32_t)get_below(in, UINT32_MAX);
	n = get_count(in);
	for (uint32_t i = 0; i < n && !in->bad; i++)
		get_wrong(&c, vec_add(&r->wrongs, 1));
	n = get_count(in);
	for (uint32_t i = 0; i < n && !in->bad; i++)
		get_site(&c, vec_add(&r->sites, 1));
	n = get_count(in);
	for (uint32_t i = 0; i < n && !in->bad; i++) {
		uint32_t callee = get_func(&c, false);

		vec_push(&r->given, ((struct given){ callee, get_u64(in) }));
	}
	return !in->bad;
}
