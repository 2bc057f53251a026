/*
 * plan_select.c - at which places is the object released?  LeakFix, section III-C.
 *
 * Of the places where a release is safe (plan_place.c) we choose those that together cut
 * every way on which the object is lost, no two on one way.  The paper's Algorithm 2 takes the
 * earliest; we take the one that ends most ways first, and of equals one that the text is
 * sure to have, then one behind which errno is not wanted (plan_errno.c), then the earliest: fewer
 * insertions, which are read by people.
 */
#include "plan/priv.h"

static bool cuts(const struct plan_chooser *c, const struct plan_option *o, const struct plan_step *st)
{
	return pstate_hold(&c->sim->nodes.v[st->to].s, o->key) == HOLD_MUST &&
	       place_is_passed(c, o->at, st) && place_is_sure(c, o->at, st->to);
}

/* Can control get, with the object alive, from behind one option to the other, or to itself
 * again? */
bool select_follows(const struct plan_chooser *c, const struct plan_option *a, const struct plan_option *b)
{
	const struct plan_sim *sim = c->sim;
	VEC(uint32_t) todo = {0};
	struct bits seen;
	bool hit = false;

	bits_init(&seen, sim->nodes.n);
	for (uint32_t i = 0; i < a->at->nodes.n; i++)
		if (pstate_hold(&sim->nodes.v[a->at->nodes.v[i]].s, a->key) != HOLD_NO &&
		    bits_set(&seen, a->at->nodes.v[i]))
			vec_push(&todo, a->at->nodes.v[i]);
	while (todo.n && !hit) {
		const struct plan_node *n = &sim->nodes.v[vec_pop(&todo)];

		for (uint32_t k = 0; k < n->steps.n && !hit; k++) {
			const struct plan_state *to = &sim->nodes.v[n->steps.v[k].to].s;

			if (to->phase == PHASE_BEFORE)
				continue;
			hit = place_is_passed(c, b->at, &n->steps.v[k]) && pstate_hold(to, b->key) != HOLD_NO;
			if (bits_set(&seen, n->steps.v[k].to))
				vec_push(&todo, n->steps.v[k].to);
		}
	}
	vec_release(&todo);
	bits_release(&seen);
	return hit;
}

/* A variable that is set to null behind a release, because it is the plan's own and it matters, or by
 * `nulled`: then it is released once, whatever comes. */
static bool clashes(const struct plan_chooser *c, const struct plan_option *a, const struct plan_option *b)
{
	return !c->sim->keeper && !c->r->nulled && select_follows(c, a, b);
}

/* Remembers why the best of the places where the object is lost will not do. */
static void note(struct plan_chooser *c, const struct plan_place *at, enum plan_verdict v, uint32_t key)
{
	bool last = false;

	for (uint32_t i = 0; i < at->nodes.n; i++)
		last |= c->sim->nodes.v[at->nodes.v[i]].end != END_NOT;
	if (last && v > c->best) {
		c->best = v;
		c->best_key = key;
	}
}

/* A statement is over where nothing that it computed is needed any more; so are the parts of a
 * comma expression.  Text can only go behind all of it: what is safe after one part must be
 * safe after all that stands on the same line. */
static bool is_safe_behind_line(const struct plan_chooser *c, const struct plan_place *at, uint32_t key)
{
	const struct ir_func *f = c->sim->f;

	for (uint32_t i = 0; i < c->places.n && at->where == FIX_AFTER; i++) {
		const struct plan_place *p = &c->places.v[i];

		if (p->guard == at->guard && (p->guard == IR_NONE || p->question == at->question) &&
		    p->where == FIX_AFTER && p->inst > at->inst &&
		    f->insts[p->inst].block == f->insts[at->inst].block &&
		    f->insts[p->inst].pos.line == f->insts[at->inst].pos.line &&
		    place_judge(c, p, key) != SAFE)
			return false;
	}
	return true;
}

static bool is_only_condition(const struct plan_sim *sim, uint32_t b)
{
	const struct ir_block *x = &sim->f->blocks[b];

	for (uint32_t i = x->first + 1; i < x->first + x->n; i++)
		if (bits_test(&sim->split, i))
			return false;
	return sim->f->insts[x->first + x->n - 1].op == IR_CONDBR;
}

/* Does the block do nothing but compute one of the values of a ?: or &&? */
static bool is_arm(const struct plan_sim *sim, uint32_t b)
{
	const struct ir_block *x = &sim->f->blocks[b];

	if (x->npred != 1 || x->nsucc != 1 || sim->f->insts[sim->f->blocks[x->succ[0]].first].op != IR_PHI)
		return false;
	for (uint32_t i = x->first + 1; i < x->first + x->n; i++)
		if (sim->f->insts[i].op == IR_STORE)
			return false;
	return true;
}

/* Is the instruction the last before a loop, on the line of the loop's condition?  That is how `for (i = 0;
 * ...)` begins, and there is no place between the two. */
static bool is_loop_start(const struct plan_sim *sim, uint32_t inst)
{
	const struct ir_inst *br = &sim->f->insts[inst + 1];
	const struct ir_block *head;

	if (br->op != IR_BR || sim->f->insts[inst].op != IR_STORE)
		return false;
	head = &sim->f->blocks[br->targets[0]];
	for (uint32_t k = 0; k < head->npred; k++)
		if (dom_dominates(&sim->ssa->dom, br->targets[0], head->pred[k]))
			return sim->f->insts[head->first].pos.line == sim->f->insts[inst].pos.line;
	return false;
}

/* An edge that the text may have no place for: from a branch to where ways meet (an else that is
 * not there), into a value (?:), between the operands of && and ||; or behind the first part of a `for`. */
static bool is_awkward(const struct plan_chooser *c, const struct plan_place *p)
{
	const struct ir_block *from, *to;

	if (p->where != FIX_EDGE)
		return p->where == FIX_AFTER && is_loop_start(c->sim, p->inst);
	from = &c->sim->f->blocks[p->from];
	to = &c->sim->f->blocks[p->to];
	if ((from->nsucc > 1 && to->npred > 1) ||
	    (from->n > 1 && is_loop_start(c->sim, from->first + from->n - 2)) ||
	    c->sim->f->insts[to->first].op == IR_PHI || is_arm(c->sim, p->to))
		return true;
	for (uint32_t i = 0; i < from->nsucc && is_only_condition(c->sim, p->to); i++)
		for (uint32_t k = 0; k < to->nsucc; k++)
			if (from->succ[i] == to->succ[k])
				return true;
	return false;
}

/* Is the variable read behind the place, before it is set again, by code that control never gets to as the
 * program is?  A release before that would be a mistake as soon as it does, and compilers warn of it. */
static bool is_read_by_dead_code(const struct plan_sim *sim, const struct bits *lives,
				 const struct plan_place *at, uint32_t slot)
{
	const struct ir_func *f = sim->f;
	VEC(uint32_t) todo = {0};
	struct bits seen;
	bool found = false;

	bits_init(&seen, f->ninsts);
	vec_push(&todo, at->where == FIX_EDGE ? f->blocks[at->to].first : place_inst(sim, at));
	while (todo.n && !found) {
		uint32_t i = vec_pop(&todo), b = f->insts[i].block, end = f->blocks[b].first + f->blocks[b].n;
		bool set = false;

		for (; i < end && !set && !found && bits_set(&seen, i); i++)
			for (uint32_t k = 0; k < f->insts[i].nops && f->insts[i].op != IR_PHI; k++)
				if (f->insts[i].ops[k] == IR_SLOT(slot)) {
					found = f->insts[i].op == IR_LOAD && !bits_test(lives, b);
					set = f->insts[i].op != IR_LOAD;
				}
		for (uint32_t k = 0; i == end && !set && k < f->blocks[b].nsucc; k++)
			vec_push(&todo, f->blocks[f->blocks[b].succ[k]].first);
	}
	vec_release(&todo);
	bits_release(&seen);
	return found;
}

/* The same of any variable that may hold the object at the place. */
static bool is_wanted_by_dead_code(const struct plan_sim *sim, const struct bits *lives,
				   const struct plan_place *at)
{
	struct sbits slots = {0};
	bool wanted = false;

	for (uint32_t i = 0; i < at->nodes.n; i++) {
		const struct plan_state *s = &sim->nodes.v[at->nodes.v[i]].s;

		for (uint32_t k = 0; k < s->n && s->phase == PHASE_ALIVE; k++)
			if (s->cells[k].key < sim->f->nslots && s->cells[k].hold != HOLD_NO)
				sbits_set(&slots, s->cells[k].key);
	}
	SBITS_FOREACH(slot, &slots)
		wanted = wanted || is_read_by_dead_code(sim, lives, at, slot);
	sbits_release(&slots);
	return wanted;
}

static void find_options(struct plan_chooser *c)
{
	struct bits lives;		/* blocks that control gets to */

	bits_init(&lives, c->sim->f->nblocks);
	for (uint32_t i = 0; i < c->sim->nodes.n; i++)
		bits_set(&lives, c->sim->f->insts[c->sim->nodes.v[i].pos].block);
	for (uint32_t i = 0; i < c->places.n; i++) {
		const struct plan_place *p = &c->places.v[i];
		struct sbits keys = {0};

		for (uint32_t k = 0; k < p->nodes.n; k++) {
			const struct plan_node *n = &c->sim->nodes.v[p->nodes.v[k]];

			for (uint32_t j = 0; j < n->s.n; j++)
				if (n->s.phase == PHASE_ALIVE && n->s.cells[j].hold == HOLD_MUST)
					sbits_set(&keys, n->s.cells[j].key);
		}
		SBITS_FOREACH(key, &keys) {
			enum plan_verdict v = place_judge(c, p, key);
			const struct ir_func *asked;
			uint32_t slot, type;
			struct plan_option o = { .at = p, .key = key };

			if (c->sim->keeper ? key != sim_keeper_key(c->sim)
					   : !place_text(c->sim, key, c->r->arena, &slot, &type))
				continue;
			if (v == SAFE && !c->sim->keeper && !place_in_scope(c->sim, slot, p))
				v = NO_SCOPE;
			if (v == SAFE && !place_is_followed(c->sim, p))
				v = NO_FRESH;
			if (v == SAFE && !is_safe_behind_line(c, p, key))
				v = NO_HOLDER;
			if (v == SAFE && (asked = asks_owner(c->sim, p))) {
				c->asked = asked;
				v = NO_OWNER;
			}
			if (v == SAFE && clashes(c, &o, &o))
				v = NO_FREED;
			if (v == SAFE && is_wanted_by_dead_code(c->sim, &lives, p))
				v = NO_USED;
			note(c, p, v, key);
			if (v == SAFE && !(c->r->plain && is_awkward(c, p))) {
				o.errno_wanted = errno_is_wanted(c->sim, p);
				vec_push(&c->options, o);
			}
		}
		sbits_release(&keys);
	}
	bits_release(&lives);
}

/* ---- cutting ------------------------------------------------------------------------- */

/* The steps of all nodes, numbered: which do not lose the object, because there is none or an option releases
 * it, and which lead to a node. */
struct cutter {
	uint32_t *first;		/* by node: the number of its first step; one more at the end */
	uint32_t *from;			/* by step: its node */
	uint32_t *row, *into;		/* by node: where the numbers of steps to it begin in `into` */
	struct bits chosen, cut;	/* by those that are chosen; with one more */
	VEC(uint32_t) todo;
};

static const struct plan_step *step_at(const struct plan_sim *sim, const struct cutter *x, uint32_t step)
{
	return &sim->nodes.v[x->from[step]].steps.v[step - x->first[x->from[step]]];
}

static void cutter_init(struct cutter *x, const struct plan_sim *sim)
{
	uint32_t n = sim->nodes.n, at = 0;

	memset(x, 0, sizeof(*x));
	x->first = xcalloc((size_t)n + 1, sizeof(*x->first));
	x->row = xcalloc((size_t)n + 2, sizeof(*x->row));
	for (uint32_t i = 0; i < n; i++) {
		x->first[i + 1] = x->first[i] + sim->nodes.v[i].steps.n;
		for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++)
			x->row[sim->nodes.v[i].steps.v[k].to + 2]++;
	}
	x->from = xcalloc(MAX(x->first[n], 1), sizeof(*x->from));
	x->into = xcalloc(MAX(x->first[n], 1), sizeof(*x->into));
	bits_init(&x->chosen, MAX(x->first[n], 1));
	bits_init(&x->cut, MAX(x->first[n], 1));
	for (uint32_t i = 0; i < n; i++)
		x->row[i + 2] += x->row[i + 1];
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++, at++) {
			uint32_t to = sim->nodes.v[i].steps.v[k].to;

			x->from[at] = i;
			x->into[x->row[to + 1]++] = at;	/* row[to + 1] ends as the end of `to` */
			if (sim->nodes.v[to].s.phase != PHASE_ALIVE)
				bits_set(&x->chosen, at);
		}
}

static void cutter_release(struct cutter *x)
{
	free(x->first);
	free(x->from);
	free(x->row);
	free(x->into);
	bits_release(&x->chosen);
	bits_release(&x->cut);
	vec_release(&x->todo);
}

static void add_cuts(const struct plan_chooser *c, const struct cutter *x, const struct plan_option *o,
		     struct bits *cut)
{
	for (uint32_t i = 0; i < o->at->nodes.n; i++)	/* a step that passes a place leads to a node of it */
		for (uint32_t k = x->row[o->at->nodes.v[i]]; k < x->row[o->at->nodes.v[i] + 1]; k++)
			if (!bits_test(cut, x->into[k]) && cuts(c, o, step_at(c->sim, x, x->into[k])))
				bits_set(cut, x->into[k]);
}

/* The nodes with a living object that are reached by steps that are not cut. */
static void reach(const struct plan_chooser *c, struct cutter *x, struct bits *out)
{
	const struct plan_sim *sim = c->sim;

	bits_zero(out);
	for (uint32_t i = 0; i < sim->nodes.n; i++)
		if (sim->nodes.v[i].s.phase == PHASE_BEFORE ||
		    (!i && sim->param != IR_NONE)) { /* a parameter is there from the start */
			bits_set(out, i);
			vec_push(&x->todo, i);
		}
	while (x->todo.n) {
		uint32_t i = vec_pop(&x->todo);

		for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++)
			if (!bits_test(&x->cut, x->first[i] + k) &&
			    bits_set(out, sim->nodes.v[i].steps.v[k].to))
				vec_push(&x->todo, sim->nodes.v[i].steps.v[k].to);
	}
}

/* Is the object only in the plan's own variable?  Without that it is lost, even in main(). */
static bool is_kept_alone(const struct plan_chooser *c, const struct plan_node *n)
{
	for (uint32_t i = 0; i < n->s.n; i++)
		if (n->s.cells[i].hold != HOLD_NO && n->s.cells[i].key != sim_keeper_key(c->sim))
			return false;
	return c->sim->keeper;
}

/* Is it the end of main() that the finding names?  Then what is held there counts. */
static bool is_at_exit(const struct plan_chooser *c)
{
	const struct finding_site *at = &c->r->finding->lost;
	const struct ir_func *f = c->sim->f;
	const struct ir_block *b;

	if (at->func != c->sim->func || at->inst >= f->ninsts)
		return false;
	b = &f->blocks[f->insts[at->inst].block];
	if (f->insts[b->first + b->n - 1].op == IR_BR && at->inst + 2 >= b->first + b->n)
		b = &f->blocks[f->insts[b->first + b->n - 1].targets[0]];
	return f->insts[b->first + b->n - 1].op == IR_RET;
}

static bool is_end(const struct plan_chooser *c, uint32_t node)
{
	const struct plan_node *n = &c->sim->nodes.v[node];

	return n->end == END_LOST || (n->end == END_RETURN && (!str_eq(c->sim->f->name, "main") ||
							       is_kept_alone(c, n) || is_at_exit(c)));
}

/* What is left of the ways to lose it: the ends that are reached, the steps into them, and the
 * steps that lead to them. */
struct left {
	uint32_t ends, arrivals, steps;
};

static void count_left(const struct plan_chooser *c, struct cutter *x, const struct bits *reached,
		       struct left *l)
{
	struct bits leads;

	memset(l, 0, sizeof(*l));
	bits_init(&leads, c->sim->nodes.n);
	for (uint32_t i = bits_next(reached, 0); i != UINT32_MAX; i = bits_next(reached, i + 1))
		if (is_end(c, i)) {
			bits_set(&leads, i);
			vec_push(&x->todo, i);
			l->ends++;
		}
	while (x->todo.n) {
		uint32_t i = vec_pop(&x->todo);
		bool end = is_end(c, i);

		for (uint32_t k = x->row[i]; k < x->row[i + 1]; k++) {
			uint32_t from = x->from[x->into[k]];

			if (!bits_test(reached, from) || bits_test(&x->cut, x->into[k]))
				continue;
			l->steps++;
			l->arrivals += end;
			if (bits_set(&leads, from))
				vec_push(&x->todo, from);
		}
	}
	bits_release(&leads);
}

static bool is_less(const struct left *a, const struct left *b)
{
	if (a->ends != b->ends)
		return a->ends < b->ends;
	return a->arrivals != b->arrivals ? a->arrivals < b->arrivals : a->steps < b->steps;
}

static bool is_compatible(const struct plan_chooser *c, const struct plan_option *o)
{
	for (uint32_t i = 0; i < c->chosen.n; i++)
		if (clashes(c, &c->chosen.v[i], o) || clashes(c, o, &c->chosen.v[i]))
			return false;
	return true;
}

static bool is_earlier(const struct plan_chooser *c, const struct plan_option *a, const struct plan_option *b)
{
	if ((a->at->guard == IR_NONE) != (b->at->guard == IR_NONE))
		return a->at->guard == IR_NONE;
	if (is_awkward(c, a->at) != is_awkward(c, b->at))
		return is_awkward(c, b->at);
	if ((a->at->where == FIX_RESULT) != (b->at->where == FIX_RESULT))
		return b->at->where == FIX_RESULT;
	if ((a->at->guard == IR_NONE) != (b->at->guard == IR_NONE))
		return a->at->guard == IR_NONE;
	if (a->errno_wanted != b->errno_wanted)
		return b->errno_wanted;
	if (a->at->pos != b->at->pos)
		return a->at->pos < b->at->pos;
	return a->at->sub < b->at->sub;
}

/* The option that leaves least; false if none helps. */
static bool choose_one(struct plan_chooser *c, struct cutter *x, struct bits *reached)
{
	const struct plan_option *best = NULL;
	struct left best_left, left;
	struct bits after;
	bool any;

	bits_copy(&x->cut, &x->chosen);
	reach(c, x, reached);
	count_left(c, x, reached, &best_left);
	any = best_left.ends;
	bits_init(&after, c->sim->nodes.n);
	for (uint32_t i = 0; i < c->options.n && any; i++) {
		const struct plan_option *o = &c->options.v[i];

		if (!is_compatible(c, o))
			continue;
		bits_copy(&x->cut, &x->chosen);
		add_cuts(c, x, o, &x->cut);
		reach(c, x, &after);
		count_left(c, x, &after, &left);
		if (is_less(&left, &best_left) ||
		    (best && !is_less(&best_left, &left) && is_earlier(c, o, best))) {
			best = o;
			best_left = left;
		}
	}
	bits_release(&after);
	if (best) {
		add_cuts(c, x, best, &x->chosen);
		vec_push(&c->chosen, *best);
	}
	return best != NULL;
}

/* May the object at the node be one that the finding is of?  Of others of the set M, which get into the same
 * variables, there may be findings of their own; what is left of them was left before. */
static bool is_own(const struct plan_chooser *c, uint32_t node)
{
	const struct plan_state *s = &c->sim->nodes.v[node].s;
	bool other = false;

	for (uint32_t i = 0; i < s->n; i++) {
		struct plan_val v = s->cells[i].val;

		if (s->cells[i].hold != HOLD_MUST)
			continue;
		if (v.kind != PVAL_FRESH || v.birth == c->r->birth)
			return true;
		other = true;
	}
	return !other;
}

static bool any_end(const struct plan_chooser *c, const struct bits *reached)
{
	for (uint32_t i = bits_next(reached, 0); i != UINT32_MAX; i = bits_next(reached, i + 1))
		if (is_end(c, i) && is_own(c, i))
			return true;
	return false;
}

/* Is a way left that goes through the place that the finding names? */
static bool own_end_left(const struct plan_chooser *c, const struct bits *reached)
{
	const struct finding *f = c->r->finding;
	const struct plan_sim *sim = c->sim;
	uint32_t block;
	struct bits seen;
	bool more = true, left = false;

	if (f->lost.func != sim->func || f->lost.inst >= sim->f->ninsts)
		return any_end(c, reached);
	block = sim->f->insts[f->lost.inst].block;
	bits_init(&seen, sim->nodes.n);
	for (uint32_t i = bits_next(reached, 0); i != UINT32_MAX; i = bits_next(reached, i + 1))
		if (sim->f->insts[sim->nodes.v[i].pos].block == block &&
		    sim->nodes.v[i].s.phase == PHASE_ALIVE)
			bits_set(&seen, i);
	while (more) {
		more = false;
		for (uint32_t i = bits_next(&seen, 0); i != UINT32_MAX; i = bits_next(&seen, i + 1))
			for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++)
				if (bits_test(reached, sim->nodes.v[i].steps.v[k].to))
					more |= bits_set(&seen, sim->nodes.v[i].steps.v[k].to);
	}
	left = any_end(c, &seen);
	bits_release(&seen);
	return left;
}

static const char *callee_at(const struct plan_sim *sim, uint32_t inst)
{
	const struct ir_func *g = inst == IR_NONE ? NULL : ir_callee(sim->pl->m, &sim->f->insts[inst]);

	return g ? g->src : NULL;
}

/* There is no way on which it is lost. */
static const char *why_never_lost(const struct plan_sim *sim, struct arena *a)
{
	const char *freed = callee_at(sim, sim->freed_at), *kept = callee_at(sim, sim->escaped_at);

	if (sim->escaped_at != IR_NONE)
		return kept ? arena_printf(a, "it may be kept by %s()", kept)
			    : "it is stored where it outlives the function";
	if (sim->freed_at != IR_NONE)
		return freed ? arena_printf(a, "it may already be freed by %s()", freed)
			     : "it may already be freed";
	return "no way on which it is lost was found again";
}

static void refuse(struct plan_chooser *c)
{
	const struct plan_sim *sim = c->sim;
	const char *freed = callee_at(sim, sim->freed_at), *kept = callee_at(sim, sim->escaped_at);
	uint32_t slot;
	uint32_t type;
	const char *x = c->best == NO_HOLDER ? NULL : place_text(sim, c->best_key, c->r->arena, &slot, &type);
	struct arena *a = c->r->arena;
	const char **out = &c->r->plan->refused;

	if (!x)
		x = "the object";
	else
		x = arena_printf(a, "`%s`", x);
	if (c->asked)
		*out = arena_printf(a, "it may be somebody else's: the program asks %s()", c->asked->src);
	else if (c->best == NO_HOLDER)
		*out = "no variable holds the object where it is lost";
	else if (c->best == NO_FRESH)
		*out = arena_printf(a, "%s may point to something else there", x);
	else if (c->best == NO_INIT)
		*out = arena_printf(a, "%s may not be initialised there", x);
	else if (c->best == NO_SCOPE)
		*out = arena_printf(a, "%s is out of scope where it could be freed", x);
	else if (c->best == NO_FREED)
		*out = freed ? arena_printf(a, "%s may already be freed by %s() on the way", x, freed)
			     : arena_printf(a, "%s may already be freed on the way", x);
	else if (c->best == NO_ESCAPED)
		*out = kept ? arena_printf(a, "%s may be kept by %s()", x, kept)
			    : arena_printf(a, "%s is stored where it outlives the function", x);
	else if (c->best == NO_USED)
		*out = arena_printf(a, "%s is still used afterwards", x);
	else
		*out = "no single place covers every way on which it is lost";
}

/* ---- where the keeper forgets -------------------------------------------------------------- */

/* Does the keeper hold an object that it must not release any more? */
static bool is_stale(const struct plan_sim *sim, const struct plan_node *n)
{
	return n->s.phase != PHASE_BEFORE && pstate_hold(&n->s, sim_keeper_key(sim)) != HOLD_NO &&
	       (n->s.phase == PHASE_FREED || n->s.doubt);
}

/* Is the object, in all states there are at the place with one in the keeper, stale? */
static bool all_stale(const struct plan_sim *sim, const struct plan_place *at)
{
	bool any = false;

	for (uint32_t i = 0; i < at->nodes.n; i++) {
		const struct plan_node *n = &sim->nodes.v[at->nodes.v[i]];

		if (n->s.phase == PHASE_BEFORE || pstate_hold(&n->s, sim_keeper_key(sim)) == HOLD_NO)
			continue;
		if (!is_stale(sim, n))
			return false;
		any = true;
	}
	return any;
}

/* The steps that lead to a stale object. */
struct stale {
	uint32_t node, step;
};
VEC_TYPE(stales, struct stale);

static void find_stale(const struct plan_sim *sim, struct stales *out)
{
	for (uint32_t i = 0; i < sim->nodes.n; i++)
		for (uint32_t k = 0; k < sim->nodes.v[i].steps.n; k++)
			if (is_stale(sim, &sim->nodes.v[sim->nodes.v[i].steps.v[k].to]))
				vec_push(out, ((struct stale){ i, k }));
}

/* Does a stale object get here that no chosen place has seen? */
static bool is_first(const struct plan_chooser *c, const struct stales *stale, const struct bits *seen,
		     const struct plan_place *at)
{
	for (uint32_t i = 0; i < stale->n; i++)
		if (!bits_test(seen, stale->v[i].node) &&
		    place_is_passed(c, at, &c->sim->nodes.v[stale->v[i].node].steps.v[stale->v[i].step]))
			return true;
	return false;
}

static int by_order(const void *x, const void *y)
{
	const struct plan_place *a = x, *b = y;

	if (a->pos != b->pos)
		return a->pos < b->pos ? -1 : 1;
	return a->sub < b->sub ? -1 : a->sub > b->sub;
}

/* To forget is always safe, for it releases nothing: a place that is left out or badly chosen
 * costs a fix.  They are the first places on each way at which every object in the keeper was freed or
 * handed on. */
void select_clears(const struct plan_sim *sim, struct plan_clears *out)
{
	struct plan_chooser c = { .sim = sim };
	struct stales stale = {0};
	struct bits seen;

	bits_init(&seen, MAX(sim->nodes.n, 1));
	find_stale(sim, &stale);
	if (stale.n)
		places_find(&c);
	if (c.places.n)
		qsort(c.places.v, c.places.n, sizeof(*c.places.v), by_order);
	for (uint32_t i = 0; i < c.places.n; i++) {
		const struct plan_place *at = &c.places.v[i];
		bool edge = at->where == FIX_EDGE;

		if ((at->where == FIX_BEFORE && at->to != IR_NONE) || !all_stale(sim, at) ||
		    !is_first(&c, &stale, &seen, at))
			continue;
		vec_push(out, ((struct plan_clear) { edge ? IR_NONE : sim->nodes.v[at->nodes.v[0]].pos,
						     edge ? at->from : IR_NONE, edge ? at->to : IR_NONE }));
		for (uint32_t k = 0; k < at->nodes.n; k++)	/* and whatever comes behind it */
			bits_set(&seen, at->nodes.v[k]);
		for (bool more = true; more;) {
			more = false;
			for (uint32_t n = bits_next(&seen, 0); n != UINT32_MAX; n = bits_next(&seen, n + 1))
				for (uint32_t k = 0; k < sim->nodes.v[n].steps.n; k++)
					if (is_stale(sim, &sim->nodes.v[sim->nodes.v[n].steps.v[k].to]))
						more |= bits_set(&seen, sim->nodes.v[n].steps.v[k].to);
		}
	}
	for (uint32_t i = 0; i < c.places.n; i++)
		vec_release(&c.places.v[i].nodes);
	vec_release(&c.places);
	vec_release(&stale);
	bits_release(&seen);
}

static bool is_ever_lost(const struct plan_chooser *c)
{
	for (uint32_t i = 0; i < c->sim->nodes.n; i++)
		if (is_end(c, i))
			return true;
	return false;
}

/* Is the object lost, but not where the finding says so, and is that asked for? */
static bool is_lost_elsewhere(const struct plan_chooser *c, struct cutter *x, struct bits *reached)
{
	if (!c->r->own || c->r->finding->lost.func != c->sim->func)
		return false;
	bits_copy(&x->cut, &x->chosen);
	reach(c, x, reached);
	return any_end(c, reached) && !own_end_left(c, reached);
}

void select_places(struct plan_request *r)
{
	struct plan_chooser c = { .r = r,
				  .sim = r->sim,
				  .best = NO_HOLDER,
				  .best_key = IR_NONE,
				  .index = IR_NONE,
				  .guard = IR_NONE,
				  .echo = IR_NONE };
	struct bits reached;
	struct cutter x;
	bool ok = true;

	if (!is_ever_lost(&c)) {
		r->never_lost = true;
		r->plan->refused = why_never_lost(c.sim, r->arena);
		return;
	}
	bits_init(&reached, MAX(c.sim->nodes.n, 1));
	cutter_init(&x, c.sim);
	if (is_lost_elsewhere(&c, &x, &reached)) {
		r->foreign = true;
		goto done;
	}
	places_find(&c);
	find_options(&c);
	while (choose_one(&c, &x, &reached))
		;
	for (uint32_t i = 0; i < c.chosen.n; i++)
		r->awkward |= is_awkward(&c, c.chosen.v[i].at);
	if (!c.chosen.n || own_end_left(&c, &reached))
		refuse(&c);
	if (!r->plan->refused && c.sim->keeper)
		ok = write_keeper(&c);
	for (uint32_t i = 0; i < c.chosen.n && !c.sim->keeper && !r->plan->refused && ok; i++)
		ok = write_release(&c, &c.chosen.v[i]);
	if (!ok) {
		for (uint32_t i = 0; i < r->plan->in.n; i++)
			vec_release(&r->plan->in.v[i].names);
		vec_clear(&r->plan->in);
		r->plan->refused = c.why;
	}
done:
	cutter_release(&x);
	for (uint32_t i = 0; i < c.places.n; i++)
		vec_release(&c.places.v[i].nodes);
	vec_release(&c.places);
	vec_release(&c.options);
	vec_release(&c.chosen);
	bits_release(&reached);
}
