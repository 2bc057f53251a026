/*
 * edit_match.c - on which edges of the CFG does a point of the text lie?
 *
 * The answer comes from the compiler.  A function and the same function with a mark at each
 * of its points (edit_point.c) are walked in step from their entries.  Branches without a
 * condition count as nothing in both, marks count as nothing in the second; all other
 * instructions must be the same.  Where control goes after an instruction is then a *step*:
 * (instruction, number of the way out), and what lies on it, unconditional branches and
 * marks, is a straight line.  So
 *
 *	an edge is crossed by some steps, a mark is passed by some steps,
 *
 * and a statement at the mark is executed exactly when the edge is crossed, if and only if
 * both are the same set.  Nothing that the program does lies between the two.  A statement
 * wanted on several edges at once may also be put to a mark that is passed by the steps of
 * all of them together: the way out of `a && b` is of that kind.
 *
 * This holds for every statement and every way in which control moves in C, and there is
 * nothing to be decided: an edge inside an expression has no mark and gets none.  It also
 * tells whether the source is still the one that the program was made from: if the walk
 * finds a difference, it is not.
 *
 * The point between a return's value and its leaving can bear no mark; it is passed by the
 * steps over a branch that the compiler has placed at the word `return`.
 */
#include "edit/priv.h"

#include "base/bits.h"
#include "base/error.h"
#include "model/hooks.h"

struct crossing {
	uint32_t step, from, to;
};

struct passing {
	uint32_t step, point;
	uint32_t before;	/* the instruction of the marked function that comes next, or IR_NONE */
};

struct step {
	uint32_t inst;		/* IR_NONE: entering the function */
	uint32_t into;		/* the next instruction, IR_NONE in an endless loop of branches */
};

struct match {
	const struct ir_module *m, *mm;
	const struct ir_func *f, *g;	/* g is marked */
	uint32_t base, npoints;
	uint32_t *same;			/* instruction of f -> of g, IR_NONE */
	uint32_t *vreg;			/* vreg of f -> of g, IR_NONE */
	VEC(uint32_t) todo;
	VEC(struct step) steps;
	VEC(struct crossing) crossings;
	VEC(struct passing) passings;
	const char *differs;
	uint32_t at;			/* where */
};

/* ---- two instructions ---- */

static const char *last_part(const char *path)
{
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

/* __FILE__ is spelled as the compiler was told: the same text may be compiled by another path. */
static bool is_file_name(const struct match *x, const char *a, const char *b)
{
	return x->f->pos.file != IR_NONE && str_eq(last_part(a), last_part(b)) &&
	       str_eq(last_part(a), last_part(x->m->files.v[x->f->pos.file]));
}

static bool same_global(const struct match *x, ir_ref a, ir_ref b)
{
	const struct ir_global *p = &x->m->globals.v[IR_IDX(a)], *q = &x->mm->globals.v[IR_IDX(b)];

	if (!p->text != !q->text ||
	    (p->text && !str_eq(p->text, q->text) && !is_file_name(x, p->text, q->text)))
		return false;
	return str_eq(p->src, q->src) && (p->text || p->flags & IR_G_LOCAL || *p->src || p->size == q->size);
}

static bool same_ref(struct match *x, ir_ref a, ir_ref b)
{
	if (IR_KIND(a) != IR_KIND(b))
		return false;
	switch (IR_KIND(a)) {
	case IR_R_VREG:
		return x->vreg[IR_IDX(a)] == IR_IDX(b);
	case IR_R_SLOT:
		return IR_IDX(a) == IR_IDX(b) &&
		       str_eq(x->f->slots[IR_IDX(a)].name, x->g->slots[IR_IDX(b)].name);
	case IR_R_GLOBAL:
		return same_global(x, a, b);
	case IR_R_FUNC:
		return str_eq(x->m->funcs.v[IR_IDX(a)].src, x->mm->funcs.v[IR_IDX(b)].src);
	case IR_R_INT:
		return ir_int_value(x->m, a) == ir_int_value(x->mm, b);
	case IR_R_ADDR:
		return x->m->addrs.v[IR_IDX(a)].offset == x->mm->addrs.v[IR_IDX(b)].offset &&
		       same_ref(x, x->m->addrs.v[IR_IDX(a)].base, x->mm->addrs.v[IR_IDX(b)].base);
	case IR_R_SPECIAL:
		return a == b;
	}
	return false;
}

/* Does the call, as it was analysed, go to the function that stands for the variable which the source calls
 * through (model/hooks.h)? */
static bool is_hook(const struct match *x, const struct ir_inst *a, const struct ir_inst *b)
{
	const struct ir_func *g = a->op == IR_CALL ? ir_callee(x->m, a) : NULL;
	const struct ir_inst *d = g ? ir_def(x->g, b->ops[0]) : NULL;

	return d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_GLOBAL &&
	       model_is_hook(g->name, x->mm->globals.v[IR_IDX(d->ops[0])].name);
}

static bool same_inst(struct match *x, const struct ir_inst *a, const struct ir_inst *b)
{
	if (a->op != b->op || a->sub != b->sub || a->cls != b->cls)
		return false;
	if (a->bits != b->bits || a->nops != b->nops || (a->res == IR_NONE) != (b->res == IR_NONE))
		return false;
	/* the test of a do loop stands where its body ends, and braces move that */
	if (a->pos.line != b->pos.line && (a->op == IR_LOAD || a->op == IR_STORE || a->op == IR_CALL))
		return false;
	if (a->op != IR_PHI) {
		uint32_t n = a->op == IR_SWITCH ? 1 : a->nops;

		if (a->ntargets != b->ntargets || a->imm != b->imm)
			return false;
		for (uint32_t i = is_hook(x, a, b); i < n; i++)
			if (!same_ref(x, a->ops[i], b->ops[i]))
				return false;
	}
	if (a->res != IR_NONE)
		x->vreg[a->res] = b->res;
	return true;
}

/* ---- the walk ---- */

/* The number of a mark's point, or IR_NONE. */
static uint32_t mark_of(const struct match *x, const struct ir_inst *in)
{
	const struct ir_func *callee;
	int64_t no;

	if (in->op != IR_CALL || in->nops != 2 ||
	    IR_KIND(in->ops[0]) != IR_R_FUNC || IR_KIND(in->ops[1]) != IR_R_INT)
		return IR_NONE;
	callee = &x->mm->funcs.v[IR_IDX(in->ops[0])];
	if (!str_eq(callee->src, MARK_NAME))
		return IR_NONE;
	no = ir_int_value(x->mm, in->ops[1]) - x->base;
	return no >= 0 && no < x->npoints ? (uint32_t)no : IR_NONE;
}

/* A call, or a question before it, that models put into the program as it was analysed (model/format.h): the
 * source has none such. */
static bool is_added(const struct match *x, const struct ir_inst *in)
{
	const struct ir_func *callee = in->op == IR_CALL && in->flags & IR_F_IMPLICIT ?
		ir_callee(x->m, in) : NULL;

	if (in->flags & IR_F_IMPLICIT && (in->op == IR_CMP || in->op == IR_BIN))
		return true;
	return callee && strchr(callee->src, ' ');
}

/* Follows f from its instruction at over branches; the next that is none. */
static uint32_t follow(struct match *x, uint32_t at, uint32_t step)
{
	for (uint32_t n = 0; n <= x->f->nblocks;) {
		const struct ir_inst *in = &x->f->insts[at];
		struct crossing c = { step, in->block, in->op == IR_BR ? in->targets[0] : IR_NONE };

		if (is_added(x, in)) {
			at++;
			continue;
		}
		if (in->op != IR_BR)
			return at;
		vec_push(&x->crossings, c);
		at = x->f->blocks[c.to].first;
		n++;
	}
	return IR_NONE;
}

/* The same in g, over marks, too. */
static uint32_t follow_marked(struct match *x, uint32_t at, uint32_t step)
{
	uint32_t start = x->passings.n, branches = 0;

	for (;;) {
		const struct ir_inst *in = &x->g->insts[at];
		uint32_t point = mark_of(x, in);

		if (point != IR_NONE) {
			struct passing p = { step, point, IR_NONE };

			vec_push(&x->passings, p);
			at++;
		} else if (in->op != IR_BR) {
			break;
		} else if (branches++ > x->g->nblocks) {
			return IR_NONE;
		} else {
			at = x->g->blocks[in->targets[0]].first;
		}
	}
	for (uint32_t i = start; i < x->passings.n; i++)
		x->passings.v[i].before = at;
	return at;
}

/* One step: instruction a of f leads to at, which its twin does to the instruction `twin` of g. */
static void take_step(struct match *x, uint32_t a, uint32_t at, uint32_t twin)
{
	struct step s = { a, IR_NONE };
	uint32_t no = x->steps.n, p, q;

	vec_push(&x->steps, s);
	if (a != IR_NONE && ir_is_term(&x->f->insts[a])) {
		struct crossing c = { no, x->f->insts[a].block, x->f->insts[at].block };

		vec_push(&x->crossings, c);
	}
	p = follow(x, at, no);
	q = follow_marked(x, twin, no);
	x->steps.v[no].into = p;
	if ((p == IR_NONE) != (q == IR_NONE)) {
		x->differs = "control goes elsewhere";
		x->at = a;
	} else if (p != IR_NONE && x->same[p] == IR_NONE) {
		x->same[p] = q;
		vec_push(&x->todo, p);
	} else if (p != IR_NONE && x->same[p] != q) {
		x->differs = "control joins elsewhere";
		x->at = p;
	}
}

/* The way out of b that is a's number i.  Cases come in any order: the compiler has another one for
 * ranges that have something between them.  IR_NONE: there is none. */
static uint32_t way_out(const struct match *x, const struct ir_inst *a, const struct ir_inst *b, uint32_t i)
{
	if (a->op != IR_SWITCH || !i)
		return i;
	for (uint32_t k = 1; k < b->nops; k++)
		if (IR_KIND(a->ops[i]) == IR_R_INT && IR_KIND(b->ops[k]) == IR_R_INT &&
		    ir_int_value(x->m, a->ops[i]) == ir_int_value(x->mm, b->ops[k]))
			return k;
	return IR_NONE;
}

static void visit(struct match *x, uint32_t p)
{
	const struct ir_inst *a = &x->f->insts[p], *b = &x->g->insts[x->same[p]];

	assert(p < x->f->ninsts && x->same[p] < x->g->ninsts);
	if (!same_inst(x, a, b)) {
		x->differs = "an instruction is another one";
		x->at = p;
	} else if (!ir_is_term(a)) {
		take_step(x, p, p + 1, x->same[p] + 1);
	} else {
		for (uint32_t i = 0; i < a->ntargets && !x->differs; i++) {
			uint32_t k = way_out(x, a, b, i);

			if (k == IR_NONE) {
				x->differs = "a case is missing";
				x->at = p;
			} else {
				take_step(x, p, x->f->blocks[a->targets[i]].first,
					  x->g->blocks[b->targets[k]].first);
			}
		}
	}
}

static void walk(struct match *x)
{
	take_step(x, IR_NONE, 0, 0);
	/* in the order of a stack a use comes after its definition: that lies on every way to it */
	while (x->todo.n && !x->differs)
		visit(x, vec_pop(&x->todo));
}

/* ---- results ---- */

static void add_step(struct point *p, uint32_t step)
{
	if (!p->steps.n || vec_last(&p->steps) != step)
		vec_push(&p->steps, step);
}

/* Steps over a branch that stands at the word `return`. */
static void add_return(const struct match *x, struct point *p, const struct ast_func *f)
{
	uint32_t line, col;

	ast_position(f->file, p->st->begin, &line, &col);
	for (uint32_t i = 0; i < x->crossings.n; i++) {
		const struct crossing *c = &x->crossings.v[i];
		const struct ir_block *b = &x->f->blocks[c->from];
		const struct ir_inst *br = &x->f->insts[b->first + b->n - 1];

		if (br->op == IR_BR && br->pos.line == line && br->pos.col == col)
			add_step(p, c->step);
	}
}

static void fill_points(const struct match *x, struct points *ps, const struct ast_func *f)
{
	for (uint32_t i = 0; i < x->passings.n; i++)
		add_step(&ps->v[x->passings.v[i].point], x->passings.v[i].step);
	for (uint32_t i = 0; i < ps->n; i++)
		if (ps->v[i].kind == POINT_RETURN)
			add_return(x, &ps->v[i], f);
}

int match_new(struct match **out, const struct match_pair *pair, struct points *ps, uint32_t base,
	      const struct ast_func *f)
{
	struct match *x = xcalloc(1, sizeof(*x));

	assert(pair->func < pair->m->funcs.n && pair->marked_func < pair->marked->funcs.n);
	x->m = pair->m;
	x->mm = pair->marked;
	x->f = &pair->m->funcs.v[pair->func];
	x->g = &pair->marked->funcs.v[pair->marked_func];
	x->base = base;
	x->npoints = ps->n;
	x->same = xreallocarray(NULL, x->f->ninsts, sizeof(*x->same));
	x->vreg = xreallocarray(NULL, MAX(x->f->nvregs, 1), sizeof(*x->vreg));
	memset(x->same, 0xff, x->f->ninsts * sizeof(*x->same));
	memset(x->vreg, 0xff, x->f->nvregs * sizeof(*x->vreg));
	for (uint32_t i = 0; i < x->f->nparams; i++)
		x->vreg[i] = i;
	if (x->f->nslots != x->g->nslots || x->f->nparams != x->g->nparams)
		x->differs = "it has other variables";
	else
		walk(x);
	if (x->differs) {
		error_set("%s() in the source is not what was analysed: %s near line %u",
			  x->f->src, x->differs,
			  x->at == IR_NONE ? x->f->pos.line : x->f->insts[x->at].pos.line);
		match_free(x);
		return -1;
	}
	fill_points(x, ps, f);
	*out = x;
	return 0;
}

void match_free(struct match *x)
{
	if (!x)
		return;
	free(x->same);
	free(x->vreg);
	vec_release(&x->todo);
	vec_release(&x->steps);
	vec_release(&x->crossings);
	vec_release(&x->passings);
	free(x);
}

uint32_t match_next(const struct match *x, uint32_t step)
{
	return x->steps.v[step].into;
}

uint32_t match_steps(const struct match *x)
{
	return x->steps.n;
}

void match_edge(const struct match *x, uint32_t from, uint32_t to, struct bits *steps)
{
	for (uint32_t i = 0; i < x->crossings.n; i++)
		if (x->crossings.v[i].from == from && x->crossings.v[i].to == to)
			bits_set(steps, x->crossings.v[i].step);
}

void match_into(const struct match *x, uint32_t inst, struct bits *steps)
{
	for (uint32_t i = 0; i < x->steps.n; i++)
		if (x->steps.v[i].into == inst)
			bits_set(steps, i);
}

/* The variable that a value was read from or stored to in this block; nothing was called or stored since. */
static uint32_t held_by(const struct ir_func *f, uint32_t at, ir_ref value)
{
	for (uint32_t i = at; i-- > f->blocks[f->insts[at].block].first;) {
		const struct ir_inst *in = &f->insts[i];
		bool slot = (in->op == IR_LOAD || in->op == IR_STORE) && IR_KIND(in->ops[0]) == IR_R_SLOT &&
			    !(in->flags & IR_F_VOLATILE);

		if (slot && (in->op == IR_LOAD ? IR_VREG(in->res) : in->ops[1]) == value)
			return IR_IDX(in->ops[0]);
		if (in->op == IR_STORE || in->op == IR_CALL ||
		    in->op == IR_ASM || in->op == IR_MEMCPY || in->op == IR_MEMSET)
			return IR_NONE;
	}
	return IR_NONE;
}

void match_null(const struct match *x, uint32_t slot, struct bits *steps)
{
	for (uint32_t s = 0; s < x->steps.n; s++) {
		uint32_t a = x->steps.v[s].inst;
		const struct ir_inst *br = a == IR_NONE ? NULL : &x->f->insts[a], *cmp;
		uint32_t way = 0;

		if (!br || br->op != IR_CONDBR || br->targets[0] == br->targets[1])
			continue;
		for (uint32_t k = s; k-- > 0 && x->steps.v[k].inst == a;)	/* ways out are numbered in a
										 * row */
			way++;
		cmp = ir_def(x->f, br->ops[0]);
		if (!cmp || cmp->op != IR_CMP ||
		    (cmp->sub != IR_P_EQ && cmp->sub != IR_P_NE) || cmp->ops[1] != IR_NULL)
			continue;
		if (way == (cmp->sub == IR_P_NE) && held_by(x->f, a, cmp->ops[0]) == slot)
			bits_set(steps, s);
	}
}

/* Does an instruction neither touch memory, other than variables that the statement does not name,
 * nor leave the function? */
static bool is_passable(const struct ir_inst *b, const struct fix_insertion *in)
{
	switch (b->op) {
	case IR_PHI:
	case IR_CAST:
	case IR_CMP:
	case IR_BIN:
	case IR_COPY:
	case IR_SELECT:
	case IR_CONDBR:
	case IR_SWITCH:
		return true;
	case IR_LOAD:
	case IR_STORE:
		if (b->flags & (IR_F_VOLATILE | IR_F_ATOMIC) || IR_KIND(b->ops[0]) != IR_R_SLOT)
			return false;
		for (uint32_t i = 0; i < in->names.n; i++)
			if (in->names.v[i].slot == IR_IDX(b->ops[0]))
				return false;
		return true;
	default:
		return false;
	}
}

bool match_sink(const struct match *x, struct bits *want,
		const struct bits *may, const struct fix_insertion *in)
{
	bool moved = false;

	for (uint32_t s = bits_next(want, 0); s != UINT32_MAX; s = bits_next(want, s + 1)) {
		uint32_t b = x->steps.v[s].into;
		bool all = b != IR_NONE && is_passable(&x->f->insts[b], in);

		for (uint32_t i = 0; all && i < x->steps.n; i++)
			all = x->steps.v[i].into != b || bits_test(want, i) || bits_test(may, i);
		if (!all)
			continue;
		for (uint32_t i = 0; i < x->steps.n; i++) {
			if (x->steps.v[i].into == b)
				bits_unset(want, i);
			if (x->steps.v[i].inst == b)
				bits_set(want, i);
		}
		moved = true;
		break;
	}
	return moved;
}

/* What can be reached from the function's start, and from instruction `from` (or IR_NONE), by steps
 * that are not blocked and not through the instruction `past` (or IR_NONE). */
static void reach(const struct match *x, struct bits *reached, const struct bits *blocked,
		  uint32_t from, uint32_t past)
{
	bool grew = true;

	while (grew) {
		grew = false;
		for (uint32_t i = 0; i < x->steps.n; i++) {
			const struct step *s = &x->steps.v[i];

			if (s->into == IR_NONE || (blocked && bits_test(blocked, i)))
				continue;
			if (s->inst == IR_NONE || s->inst == from ||
			    (s->inst != past && bits_test(reached, s->inst)))
				grew |= bits_set(reached, s->into);
		}
	}
}

bool match_before(const struct match *x, const struct point *p, uint32_t inst)
{
	struct bits reached, blocked;
	bool found;

	bits_init(&reached, x->f->ninsts);
	bits_init(&blocked, x->steps.n);
	for (uint32_t i = 0; i < p->steps.n; i++)
		bits_set(&blocked, p->steps.v[i]);
	reach(x, &reached, &blocked, inst, IR_NONE);
	found = bits_test(&reached, inst);
	bits_release(&reached);
	bits_release(&blocked);
	return !found;
}

bool match_after(const struct match *x, const struct point *p, uint32_t inst)
{
	struct bits reached;
	bool found = false;

	bits_init(&reached, x->f->ninsts);
	reach(x, &reached, NULL, IR_NONE, inst);
	for (uint32_t i = 0; i < p->steps.n; i++) {
		uint32_t a = x->steps.v[p->steps.v[i]].inst;

		found |= a == IR_NONE || (a != inst && bits_test(&reached, a));
	}
	bits_release(&reached);
	return !found;
}
