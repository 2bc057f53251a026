/*
 * cond.c - what a path demands of its inputs, as conditions that callers can
 * check: section 5.1's preconditions, for all that caller and callee both know.
 *
 * All that was assumed on a path is a list of terms (sym/sym.h).  A term whose
 * parts are places and constants means the same to the caller.  Most are ranges
 * of one place; `n < max` or `refs - 1 != 0` are kept as expressions.
 *
 * A path that meets an earlier one in a block with an equal state ends there.
 * What the earlier one did from there on this one would do as well, under its
 * own conditions: the cases that came of it are written down again with what
 * was assumed on this path in front.
 *
 * Which way this errs: terms over anything else are dropped, and so is what is
 * said of elements, of which the caller may mean another one; the case then
 * seems possible where it is not.
 */
#include "path/exec.h"

#include "sym/text.h"

enum { MAX_NODES = 12, MAX_LOGGED = 4000 };

/* ---- the log --------------------------------------------------------- */

/* The address of something that has one name everywhere. */
static ir_ref symbol_of(const struct exec *x, struct sym v)
{
	const struct mobj *o = mobjs_get(&x->st.objs, v.id);

	if (!o || (o->kind != M_GLOBAL && o->kind != M_FUNC))
		return IR_NULL;
	return IR_REF(o->kind == M_GLOBAL ? IR_R_GLOBAL : IR_R_FUNC, o->index);
}

static bool is_op(const struct sym_expr *e, unsigned op, unsigned sub)
{
	return e->op == op && e->sub == sub;
}

/* A pointer of an array that is null, or not: are there any? */
static bool is_about_elements(const struct exec *x, struct sym v)
{
	const struct sym_expr *e = symexprs_get(&x->st.s.exprs, v.id);
	const struct place *p;

	while (e && (e->op == SYM_NOT || (is_op(e, IR_CMP, IR_P_EQ) && sym_is_const(e->b) && e->b.lo == 0))) {
		v = e->a;
		e = symexprs_get(&x->st.s.exprs, v.id);
	}
	p = placemap_get(&x->st.places, v.id);
	return p && !p->bits;
}

/* Is it made of places and constants, some place among them? */
static bool is_for_caller(const struct exec *x, struct sym v, uint32_t *places, uint32_t *nodes)
{
	const struct place *p = placemap_get(&x->st.places, v.id);
	const struct sym_expr *e;

	if (++*nodes > MAX_NODES)
		return false;
	if (sym_tag(v) == SYM_T_CONST || symbol_of(x, v) != IR_NULL)
		return true;
	if (p) {
		++*places;
		return !place_is_any(p);
	}
	e = symexprs_get(&x->st.s.exprs, v.id);
	if (!e)
		return false;
	if (e->op != IR_BIN && e->op != IR_CMP && e->op != IR_CAST && e->op != SYM_NOT && e->op != SYM_TEXT)
		return false;
	return is_for_caller(x, e->a, places, nodes) &&
	       (e->a.id == e->b.id || is_for_caller(x, e->b, places, nodes));
}

bool exec__is_for_caller(const struct exec *x, struct sym v)
{
	uint32_t places = 0, nodes = 0;

	return is_for_caller(x, v, &places, &nodes) && places;
}

/* Is it made of values that no caller can know anything of: what a library returns, whether
 * there was memory?  Then it may come out either way. */
static bool is_nobodys(const struct exec *x, struct sym v, uint32_t depth)
{
	const struct sym_expr *e = symexprs_get(&x->st.s.exprs, v.id);
	const struct mobj *o;

	if (sym_tag(v) == SYM_T_CONST || digests_get(&x->st.fresh, v.id))
		return true;
	o = mobjs_get(&x->st.objs, v.id);
	if (o && (o->kind == M_HEAP || o->kind == M_SLOT))
		return true;
	return e && depth < MAX_NODES && is_nobodys(x, e->a, depth + 1) && is_nobodys(x, e->b, depth + 1);
}

/* The address of a part of something is not null: so is that of the whole, which was assumed, too. */
static bool is_address(const struct exec *x, const struct sym_term *t)
{
	return t->truth && wheres_get(&x->st.wheres, t->v.id);
}

static void log_terms(const struct exec *x, struct logged *l)
{
	for (uint32_t i = 0; i < x->st.s.assumed.n; i++) {
		const struct sym_term *t = &x->st.s.assumed.v[i];
		uint32_t places = 0, nodes = 0;

		if ((is_for_caller(x, t->v, &places, &nodes) && places) || is_about_elements(x, t->v))
			vec_push(&l->terms, ((struct logged_term){ i, x->st.s.assumed.v[i] }));
		else if (!is_nobodys(x, x->st.s.assumed.v[i].v, 0) && !is_address(x, &x->st.s.assumed.v[i]))
			l->lossy = true;
	}
}

void exec__log_case(struct exec *x, struct scase *c)
{
	struct logged l = { .body = x->bodies.n };

	assert(!x->coarse);
	c->lossy = !state_is_sure(&x->st);
	c->asks = state_has_compared(&x->st);
	vec_push(&x->bodies, *c);
	log_terms(x, &l);
	vec_push(&x->log, l);
}

void exec__log_again(struct exec *x, const struct met *m)
{
	struct logged own = {0};	/* what was assumed on this path */

	if (m->first < m->last)
		log_terms(x, &own);
	for (uint32_t i = m->first; i < m->last && x->log.n < MAX_LOGGED; i++) {
		struct logged l = { .body = x->log.v[i].body, .lossy = own.lossy || x->log.v[i].lossy };

		vec_reserve(&l.terms, own.terms.n + x->log.v[i].terms.n);
		for (uint32_t k = 0; k < own.terms.n; k++)
			vec_push(&l.terms, own.terms.v[k]);
		for (uint32_t k = 0; k < x->log.v[i].terms.n; k++) {
			struct logged_term t = x->log.v[i].terms.v[k];

			if (t.pos < m->assumed)
				continue;
			t.pos = t.pos - m->assumed + x->st.s.assumed.n;
			vec_push(&l.terms, t);
		}
		vec_push(&x->log, l);
	}
	vec_release(&own.terms);
}

/* ---- terms ----------------------------------------------------------- */

static bool is_comparison(const struct exec *x, struct sym v, struct sym *a, int64_t *c, enum ir_pred *p)
{
	const struct sym_expr *e = symexprs_get(&x->st.s.exprs, v.id);

	if (!e || e->op != IR_CMP || !sym_is_const(e->b))
		return false;
	*a = e->a;
	*c = e->b.lo;
	*p = (enum ir_pred)e->sub;
	return true;
}

/* `place & mask`: some of these bits, or none. */
static bool mask_cond(const struct exec *x, struct sym v, bool truth, struct scond *k)
{
	const struct sym_expr *e = symexprs_get(&x->st.s.exprs, v.id);
	bool masks = e && is_op(e, IR_BIN, IR_B_AND) && sym_is_const(e->b);
	const struct place *p = masks ? placemap_get(&x->st.places, e->a.id) : NULL;

	if (!p)
		return false;
	k->place = *p;
	if (truth && bits_is_one((uint64_t)e->b.lo))
		k->ones = (uint64_t)e->b.lo;
	else if (truth)
		k->some = (uint64_t)e->b.lo;
	else
		k->zeros = (uint64_t)e->b.lo;
	return true;
}

/* What the term says of a single place, if a range can say it. */
static bool simple_cond(const struct exec *x, struct sym v, bool truth, struct scond *k)
{
	const struct sym_expr *e = symexprs_get(&x->st.s.exprs, v.id);
	const struct place *pl = placemap_get(&x->st.places, v.id);
	enum ir_pred p = IR_P_EQ;
	struct sym a = v;
	int64_t c = 0;

	*k = (struct scond){ .lo = INT64_MIN, .hi = INT64_MAX };
	if (e && e->op == SYM_NOT)
		return simple_cond(x, e->a, !truth, k);
	if (pl || !is_comparison(x, v, &a, &c, &p))
		truth = !truth;		/* v is not zero: v == 0 is false */
	if (p == IR_P_EQ && c == 0 && mask_cond(x, a, !truth, k))
		return true;
	pl = placemap_get(&x->st.places, a.id);
	if (!pl)
		return false;
	k->place = *pl;
	switch (p) {
	case IR_P_EQ:
		if (truth)
			k->lo = k->hi = c;
		else if (c == 0 && !pl->bits)
			k->lo = 1;
		else if (c == 0)
			k->not_zero = true;
		else
			return false;
		return true;
	case IR_P_SLT:
		if (truth)
			k->hi = c - 1;
		else
			k->lo = c;
		return c != INT64_MIN;
	case IR_P_SGT:
		if (truth)
			k->lo = c + 1;
		else
			k->hi = c;
		return c != INT64_MAX;
	default:
		return false;
	}
}

static uint8_t add_node(const struct exec *x, struct snodes *out, struct sym v)
{
	const struct place *p = placemap_get(&x->st.places, v.id);
	const struct sym_expr *e;
	struct snode n = {0};

	if (sym_tag(v) == SYM_T_CONST) {
		n.op = SNODE_CONST;
		n.value = v.lo;
	} else if (symbol_of(x, v) != IR_NULL) {
		n.op = SNODE_SYMBOL;
		n.value = symbol_of(x, v);
	} else if (p) {
		n.op = SNODE_PLACE;
		n.place = *p;
	} else {
		e = symexprs_get(&x->st.s.exprs, v.id);
		n = (struct snode){ .op = e->op, .sub = e->sub, .bits = e->bits };
		n.a = add_node(x, out, e->a);
		n.b = e->a.id == e->b.id ? n.a : add_node(x, out, e->b);
	}
	vec_push(out, n);
	return (uint8_t)(out->n - 1);
}

/* False: the terms contradict each other. */
static bool conditions(const struct exec *x, const struct logged *l, struct scase *c)
{
	for (uint32_t i = 0; i < l->terms.n; i++) {
		struct sym_term t = l->terms.v[i].t;
		struct sterm term = { .truth = t.truth };
		struct scond k;

		if (simple_cond(x, t.v, t.truth, &k)) {
			/* of two elements one may be null and the other not: the first that was asked
			 * counts, since `for (i = 0; v[i]; i++)` ends at a null, however many there were */
			if (!(place_is_any(&k.place) && scase_cond(c, &k.place)) && !scase_add_cond(c, &k))
				return false;
			continue;
		}
		/* of what another path, walked since, has made of its parts there may be no words any more */
		if (!exec__is_for_caller(x, t.v)) {
			c->lossy = true;
			continue;
		}
		add_node(x, &term.nodes, t.v);
		vec_push(&c->terms, term);
	}
	return true;
}

void exec__sum_up(struct exec *x)
{
	for (uint32_t i = 0; i < x->log.n; i++) {
		const struct scase *b = &x->bodies.v[x->log.v[i].body];
		struct scase c = { .noreturn = b->noreturn, .returns = b->returns, .ret = b->ret,
				   .lossy = b->lossy || x->log.v[i].lossy, .asks = b->asks };

		for (uint32_t k = 0; k < b->effects.n; k++)
			vec_push(&c.effects, b->effects.v[k]);
		for (uint32_t k = 0; k < b->news.n; k++)
			vec_push(&c.news, b->news.v[k]);
		for (uint32_t k = 0; k < b->parts.n; k++)
			vec_push(&c.parts, b->parts.v[k]);
		if (conditions(x, &x->log.v[i], &c))
			summary_add(x->sum, &c);
		else
			scase_release(&c);
	}
}

void exec__log_clear(struct exec *x)
{
	for (uint32_t i = 0; i < x->bodies.n; i++)
		scase_release(&x->bodies.v[i]);
	for (uint32_t i = 0; i < x->log.n; i++)
		vec_release(&x->log.v[i].terms);
	vec_release(&x->bodies);
	vec_release(&x->log);
}

/* ---- at a call ------------------------------------------------------- */

/* What v points to compared with a text of which only the number is known. */
static struct sym compared_text(struct exec *x, struct sym v, uint64_t text)
{
	const struct mobj *o = mobjs_get(&x->st.objs, v.id);
	bool literal = o && o->kind == M_GLOBAL && x->m->globals.v[o->index].flags & IR_G_STRING;
	const char *own = literal ? x->m->globals.v[o->index].text : NULL;

	return own ? sym_const(text_number(own, text_way_of(text)) != text) : sym_text(&x->st.s, v, text);
}

struct sym exec__term(struct exec *x, const struct sterm *t, const struct sym *args, uint32_t nargs)
{
	struct sym v[MAX_NODES];

	assert(t->nodes.n && t->nodes.n <= MAX_NODES);
	for (uint32_t i = 0; i < t->nodes.n; i++) {
		const struct snode *n = &t->nodes.v[i];

		switch (n->op) {
		case SNODE_CONST:
			v[i] = sym_const(n->value);
			break;
		case SNODE_PLACE:
			v[i] = state_place(&x->st, &n->place, args, nargs, NULL,
					   n->place.bits ? IR_C_INT : IR_C_PTR,
					   n->place.bits ? n->place.bits : 64);
			break;
		case SNODE_SYMBOL:
			v[i] = state_symbol(&x->st, (ir_ref)n->value);
			break;
		case IR_BIN:
			v[i] = sym_bin(&x->st.s, (enum ir_bin)n->sub, n->bits, v[n->a], v[n->b]);
			break;
		case IR_CMP:
			v[i] = exec__compare(x, (enum ir_pred)n->sub, v[n->a], v[n->b]);
			break;
		case IR_CAST:
			v[i] = sym_cast(&x->st.s, (enum ir_cast)n->sub, n->bits, n->bits, v[n->a]);
			break;
		case SYM_TEXT:
			v[i] = compared_text(x, v[n->a], (uint64_t)t->nodes.v[n->b].value);
			break;
		default:	/* SYM_NOT */
			v[i] = sym_cmp(&x->st.s, IR_P_EQ, v[n->a], sym_const(0));
			break;
		}
	}
	return v[t->nodes.n - 1];
}
