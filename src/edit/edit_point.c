/*
 * edit_point.c - all places of a function where a statement can be put, and a text with a
 * mark at each.
 *
 * A point is where the text offers a place: in a block before, between and behind its
 * statements, behind a label, at both ends of a body without braces, in an else or a default
 * that is not there.  Which edges of the CFG run through a point is not worked out here, nor
 * anywhere else in plumb: the compiler is asked.  Every point gets a call that marks it, the
 * marked text is compiled, and the marks are looked up in the result (edit_match.c).  So no
 * rule of C about where control goes is written down a second time, and a point that we
 * take for a place but the compiler does not is found out before anything is edited.
 *
 * Marks add no line and no declaration that anybody could see, so that __LINE__, the
 * variables and their slots stay as they are.
 */
#include "edit/priv.h"

#include <stdlib.h>

bool is_bare(const struct st *s)
{
	const struct st *p = s->parent;

	return p && s->nth != UINT32_MAX &&
	       s->kind != ST_COMPOUND && p->kind >= ST_IF && p->kind <= ST_SWITCH;
}

static bool is_inside(const struct st *s, const struct st *outer)
{
	while (s && s != outer)
		s = s->parent;
	return s != NULL;
}

/* Does another statement begin in the same text?  Then a macro makes more than this one. */
static bool shares_text(const struct ast_func *f, const struct st *s, uint32_t end)
{
	for (uint32_t i = 0; i < f->all.n; i++) {
		const struct st *t = f->all.v[i];

		if (t->begin >= s->begin && t->begin < end && !is_inside(t, s) && !is_inside(s, t))
			return true;
	}
	return false;
}

bool can_brace(const struct ast_func *f, const struct st *s)
{
	const struct st *p = s->parent;
	uint32_t end;

	assert(p);	/* a body */
	if (s->outside || p->outside || s->begin <= p->begin || (s->macro_begin && p->macro_begin))
		return false;
	end = lay_end(f, s);
	return end != UINT32_MAX && end <= f->end && !(s->kind == ST_NULL && s->macro_begin) &&
	       !shares_text(f, s, end);
}

uint32_t gap_after(const struct ast_func *f, const struct st *b, uint32_t i)
{
	uint32_t at;

	assert(i <= b->kids.n);
	if (!i)
		return b->begin + 1;
	at = lay_end(f, b->kids.v[i - 1]);
	if (at == UINT32_MAX || at >= b->end ||
	    (i < b->kids.n && (b->kids.v[i]->outside || at > b->kids.v[i]->begin)))
		return UINT32_MAX;
	return at;
}

uint32_t gap_before(const struct ast_func *f, const struct st *b, uint32_t i)
{
	const struct st *next, *prev = i ? b->kids.v[i - 1] : NULL;

	UNUSED(f);
	if (i >= b->kids.n)
		return UINT32_MAX;
	next = b->kids.v[i];
	if (next->outside || next->begin <= b->begin)
		return UINT32_MAX;
	if (prev && (prev->kind == ST_ATTR || prev->outside ||
		     prev->end > next->begin || prev->begin == next->begin))
		return UINT32_MAX;
	return next->begin;
}

bool decls_end_at(const struct st *b, uint32_t i)
{
	for (uint32_t k = 0; k < i && k < b->kids.n; k++)
		if (b->kids.v[k]->kind != ST_DECL)
			return false;
	return b->kind == ST_COMPOUND;
}

const struct st *kid_of(const struct st *block, const struct st *s)
{
	while (s && s->parent != block)
		s = s->parent;
	return s;
}

bool is_jumped_over(const struct ast_func *f, const struct st *st)
{
	const struct st *block = st->parent;

	assert(block);
	for (uint32_t i = 0; i < f->all.n; i++) {
		const struct st *s = f->all.v[i], *kid = kid_of(block, s), *p = s;

		if ((s->kind != ST_LABEL && s->kind != ST_CASE) || !kid || kid->nth <= st->nth)
			continue;
		while (p != block && p->kind != ST_SWITCH)
			p = p->parent;
		if (s->kind == ST_LABEL || p == block)
			return true;
	}
	return false;
}

/* Can declarations be put at the start of the block? */
static bool takes_declarations(const struct st *b)
{
	if (b->kind != ST_COMPOUND || b->outside || b->macro_begin || b->macro_end)
		return false;
	return !b->parent || b->parent->kind != ST_SWITCH;
}

struct st *declaring_block(const struct st *s)
{
	struct st *b = s->parent;

	while (b && !takes_declarations(b))
		b = b->parent;
	return b;
}

/* ---- collecting ---- */

struct walk {
	struct points *ps;
	const struct ast_func *f;
};

static void add(struct walk *w, enum point_kind kind, struct st *s, uint32_t i, uint32_t at)
{
	struct point *p = vec_add(w->ps, 1);

	assert(at <= w->f->file->n);
	*p = (struct point){ .kind = kind, .st = s, .i = i, .at = at };
}

static void walk(struct walk *w, struct st *s);

static void walk_gap(struct walk *w, struct st *s, uint32_t i)
{
	uint32_t at;

	if (s->outside || s->macro_begin || s->macro_end || (s->is_value && i == s->kids.n))
		return;
	if (i && s->kids.v[i - 1]->kind == ST_ATTR)
		return;
	if ((at = gap_after(w->f, s, i)) == UINT32_MAX)
		at = gap_before(w->f, s, i);
	if (at != UINT32_MAX)
		add(w, POINT_GAP, s, i, at);
}

static void walk_body(struct walk *w, struct st *s)
{
	bool brace = is_bare(s) && can_brace(w->f, s);

	if (brace)
		add(w, POINT_BEGIN, s, 0, s->begin);
	walk(w, s);
	if (brace)
		add(w, POINT_END, s, 0, lay_end(w->f, s));
}

static void walk_parts(struct walk *w, struct st *s)
{
	uint32_t end;

	for (uint32_t i = 0; i < s->kids.n; i++)
		walk_body(w, s->kids.v[i]);
	if (s->kind == ST_IF && s->kids.n == 1 && !s->outside && !s->macro_begin) {
		const struct st *k = s->kids.v[0];

		end = lay_end(w->f, k);
		if (end != UINT32_MAX && !(k->kind == ST_COMPOUND && k->macro_end) &&
		    (k->kind == ST_COMPOUND || can_brace(w->f, k)))
			add(w, POINT_ELSE, s, 0, end);
	}
	if (s->kind == ST_SWITCH && !s->has_default && s->kids.n && s->kids.v[0]->kind == ST_COMPOUND) {
		const struct st *k = s->kids.v[0];

		if (!k->outside && !k->macro_begin && !k->macro_end)
			add(w, POINT_DEFAULT, s, 0, k->end - 1);
	}
}

static void walk(struct walk *w, struct st *s)
{
	for (uint32_t i = 0; i < s->inner.n; i++)
		walk(w, s->inner.v[i]);
	switch (s->kind) {
	case ST_COMPOUND:
		walk_gap(w, s, 0);
		for (uint32_t i = 0; i < s->kids.n; i++) {
			walk(w, s->kids.v[i]);
			walk_gap(w, s, i + 1);
		}
		break;
	case ST_CASE:
	case ST_LABEL:
		if (!s->kids.n)
			break;
		if (!s->outside && !s->macro_begin &&
		    !s->kids.v[0]->outside && s->kids.v[0]->begin > s->begin)
			add(w, POINT_LABEL, s, 0, s->kids.v[0]->begin);
		walk(w, s->kids.v[0]);
		break;
	case ST_RETURN:
		if (!s->outside && !s->macro_begin && lay_end(w->f, s) != UINT32_MAX)
			add(w, POINT_RETURN, s, 0, s->begin);
		break;
	default:
		walk_parts(w, s);
	}
}

void points_collect(struct points *ps, const struct ast_func *f)
{
	struct walk w = { ps, f };

	assert(!f->refused);
	walk(&w, f->body);
}

void points_release(struct points *ps)
{
	for (uint32_t i = 0; i < ps->n; i++)
		vec_release(&ps->v[i].steps);
	vec_release(ps);
}

/* ---- marking ---- */

#define DECLARATION "extern void " MARK_NAME "(int);"

struct mark {
	uint32_t at, order, no;
	const struct point *p;		/* NULL: the declaration of all marks of the function */
	bool declared;
};

static int by_offset(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	return x->at != y->at ? (x->at < y->at ? -1 : 1) : (x->order > y->order) - (x->order < y->order);
}

static void put_mark(struct sbuf *out, const struct mark *m)
{
	static const char *const before[] = {
		[POINT_BEGIN] = "{", [POINT_ELSE] = " else ", [POINT_DEFAULT] = " break; default: ",
		[POINT_RETURN] = NULL,
	};

	if (!m->p) {
		sbuf_adds(out, DECLARATION);
		return;
	}
	if (before[m->p->kind])
		sbuf_adds(out, before[m->p->kind]);
	sbuf_printf(out, m->declared ? " " MARK_NAME "(%u);" : "{" DECLARATION MARK_NAME "(%u);}", m->no);
	if (m->p->kind == POINT_END)
		sbuf_addc(out, '}');
}

void points_mark(struct sbuf *out, const struct ast_file *file,
		 const char *text, const struct marking *v, uint32_t n)
{
	VEC(struct mark) marks = {0};
	uint32_t at = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct st *body = v[i].f->body;
		bool declare = !body->outside && !body->macro_begin;	/* once will do, and is compiled in
									 * half the time */

		if (v[i].f->file != file)
			continue;
		if (declare)
			vec_push(&marks, ((struct mark){ body->begin + 1, marks.n, 0, NULL, true }));
		for (uint32_t k = 0; k < v[i].points->n; k++) {
			const struct point *p = &v[i].points->v[k];
			struct mark m = { p->at, marks.n, v[i].base + k, p, declare };

			if (p->kind != POINT_RETURN && !p->dropped)
				vec_push(&marks, m);
		}
	}
	if (marks.n)
		qsort(marks.v, marks.n, sizeof(*marks.v), by_offset);
	for (uint32_t i = 0; i < marks.n; i++) {
		sbuf_add(out, text + at, marks.v[i].at - at);
		at = marks.v[i].at;
		put_mark(out, &marks.v[i]);
	}
	sbuf_add(out, text + at, file->n - at);
	vec_release(&marks);
}
