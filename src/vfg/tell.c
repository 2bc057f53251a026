/*
 * tell.c - a leak, reported as a path that a person can follow.
 *
 * The walker (walk.c) has found a path on which the object is lost.  The path is
 * reported from the allocation on: the branches that what happens to the object depends
 * on, in source text, the calls that the object goes into and comes out of, and
 * where the last chance to free it passes.  The condition of the finding is the
 * conjunction of those branches on it that could have gone otherwise.
 */
#include "vfg/detect.h"

#include "base/sbuf.h"
#include "ir/expr.h"
#include "ir/io.h"
#include "vfg/keep.h"

#include <assert.h>

struct story {
	const struct vfg *g;
	struct findings *fs;
	struct finding *f;
	const struct vsource *src;
	vnode node;			/* where the object first is */
	const struct walk_step *steps;
	uint32_t n;
};

static struct finding_loc location(const struct story *s, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &s->g->m->funcs.v[func];

	return finding_at(s->g->m, f, &f->insts[inst]);
}

/* ---- conditions ------------------------------------------------------ */

/* The outcome of a branch in source text; false if it has none. */
static bool outcome_text(const struct story *s, const struct walk_step *x, struct sbuf *out)
{
	const struct ir_func *f = &s->g->m->funcs.v[x->func];

	return finding_branch_text(s->fs, out, s->g->m, f, &f->insts[x->inst], x->target);
}

/* Was the same said by an earlier step?  A loop asks again and again. */
static bool was_said(const struct story *s, uint32_t step, const char *text)
{
	struct sbuf b = {0};
	bool said = false;

	for (uint32_t i = 0; i < step && !said; i++)
		if (s->steps[i].kind == WALK_BRANCH && s->steps[i].matters && s->steps[i].open) {
			sbuf_clear(&b);
			said = outcome_text(s, &s->steps[i], &b) && str_eq(sbuf_str(&b), text);
		}
	sbuf_release(&b);
	return said;
}

static void tell_condition(struct story *s)
{
	struct sbuf all = {0}, one = {0};

	for (uint32_t i = 0; i < s->n; i++) {
		const struct walk_step *x = &s->steps[i];

		sbuf_clear(&one);
		if (x->kind != WALK_BRANCH || !x->open || !x->matters || !outcome_text(s, x, &one) ||
		    was_said(s, i, sbuf_str(&one)))
			continue;
		sbuf_printf(&all, "%s%s", all.n ? " && " : "", sbuf_str(&one));
	}
	s->f->condition = arena_strdup(&s->fs->arena, sbuf_str(&all));
	sbuf_release(&all);
	sbuf_release(&one);
}

/* ---- steps ----------------------------------------------------------- */

static void tell_branch(struct story *s, const struct walk_step *x)
{
	const struct ir_func *f = &s->g->m->funcs.v[x->func];

	finding_add_branch(s->fs, s->f, s->g->m, f, &f->insts[x->inst], x->target);
}

/* A call that is entered: reported only if something inside is reported. */
static bool is_told(const struct story *s, uint32_t step)
{
	uint32_t depth = 0;

	for (uint32_t i = step + 1; i < s->n; i++) {
		if (s->steps[i].kind == WALK_ENTER)
			depth++;
		else if (s->steps[i].kind == WALK_LEAVE && !depth--)
			return false;
		else if (s->steps[i].kind == WALK_OVER || s->steps[i].kind == WALK_END || s->steps[i].matters)
			return true;
	}
	return true;
}

static const char *callee_name(const struct story *s, const struct walk_step *x)
{
	const struct ir_func *g = ir_callee(s->g->m, &s->g->m->funcs.v[x->func].insts[x->inst]);

	return g ? g->src : "the function called";
}

static void end_at(struct story *s, uint32_t func, uint32_t inst)
{
	s->f->leak = location(s, func, inst);
	s->f->lost = (struct finding_site){ func, inst };
	if (!s->f->leak.line)
		s->f->leak = s->f->alloc;
}

static void tell_end(struct story *s, const struct walk_step *x)
{
	struct resource_words w = resource_words(s->f->resource);
	const char *var = s->f->variable;

	end_at(s, x->func, x->target != IR_NONE ? x->target : x->inst);
	if (x->kind == WALK_OVER && x->target == IR_NONE) {
		s->f->kind = FINDING_OVERWRITTEN;
		finding_add_step(s->fs, s->f, &s->f->leak,
				 "`%s` is overwritten here: its old value is lost", var);
	} else if (x->kind == WALK_OVER) {
		finding_add_step(s->fs, s->f, &s->f->leak,
				 "the loop begins again, and it is not %s", w.freed);
	} else if (*var) {
		finding_add_step(s->fs, s->f, &s->f->leak,
				 "`%s` is not %s: the last pointer to it ends here", var, w.freed);
	} else {
		finding_add_step(s->fs, s->f, &s->f->leak, "not %s when the function ends here", w.freed);
	}
}

static void tell_steps(struct story *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct walk_step *x = &s->steps[i];
		struct finding_loc at = location(s, x->func, x->inst);

		switch ((enum walk_kind)x->kind) {
		case WALK_BRANCH:
			if (x->matters)
				tell_branch(s, x);
			break;
		case WALK_ENTER:
			if (is_told(s, i))
				finding_add_step(s->fs, s->f, &at, "goes into %s()", callee_name(s, x));
			break;
		case WALK_LEAVE:
			/* out of the function where the story began */
			if (x->matters)
				finding_add_step(s->fs, s->f, &at, "returned to %s()",
						 s->g->m->funcs.v[x->func].src);
			break;
		case WALK_OVER:
		case WALK_END:
			tell_end(s, x);
			break;
		case WALK_MADE:
			break;
		}
	}
}

/* ---- the finding ----------------------------------------------------- */

/* What the call stores it in: the variable or member that the caller gave. */
static bool name_handed(struct story *s, const struct pta_handout *h, uint32_t callee, struct sbuf *b)
{
	const struct ir_module *m = s->g->m;
	const struct ir_func *f = &m->funcs.v[s->src->func], *g = &m->funcs.v[callee];
	const struct ir_inst *call = &f->insts[s->src->inst];
	const struct ir_type *t = &m->types.v[g->type];
	struct sbuf path = {0};
	uint32_t type;
	bool ok;

	ok = h->param + 1 < call->nops && ir_expr_lvalue(b, m, f, call->ops[h->param + 1]);
	if (ok && h->off && t->kind == IR_T_FUNC && h->param < t->nfields) {
		type = m->types.v[ir_type_strip(m, t->fields[h->param].type)].elem;
		ok = expr_path(&path, m, &type, (uint64_t)h->off);
		if (ok && sbuf_str(b)[0] == '*') {
			char *p = xstrdup(sbuf_str(b) + 1);

			sbuf_clear(b);
			sbuf_printf(b, "%s->%s", p, sbuf_str(&path) + (sbuf_str(&path)[0] == '.'));
			free(p);
		} else if (ok) {
			sbuf_adds(b, sbuf_str(&path));
		}
	}
	sbuf_release(&path);
	return ok;
}

/* The name of what the object is put into first: a variable or a place; if the
 * result is not kept anywhere, the call itself. */
static void name_variable(struct story *s)
{
	const struct ir_func *f = &s->g->m->funcs.v[s->src->func];
	const struct ir_inst *call = &f->insts[s->src->inst];
	const struct ssa *ssa = pta_ssa(s->g->p, s->src->func);
	uint32_t callee;
	const struct pta_handout *h = vfg__handout(s->g, s->src, &callee);
	struct sbuf b = {0};
	bool ok = false;

	if (h && h->param != IR_NONE)
		ok = name_handed(s, h, callee, &b);
	for (uint32_t i = s->src->inst + 1;
	     !ok && i < f->ninsts && call->res != IR_NONE && !VNODE_IS_DEF(s->node); i++)
		if (f->insts[i].op == IR_STORE && ssa_ref(ssa, f->insts[i].ops[1]) == IR_VREG(call->res) &&
		    !(IR_KIND(f->insts[i].ops[0]) == IR_R_SLOT &&
		      f->slots[IR_IDX(f->insts[i].ops[0])].flags & IR_S_RETVAL))
			ok = ir_expr_lvalue(&b, s->g->m, f, f->insts[i].ops[0]);
	for (uint32_t k = 1; !ok && VNODE_IS_DEF(s->node) && k < call->nops; k++) {
		/* through an argument: the one whose memory it went to */
		SBITS_FOREACH(l, pta_points_to(s->g->p, s->src->func, call->ops[k]))
			if (!ok && mssa_tracked(s->g->s, l)) {
				sbuf_clear(&b);
				ok = ir_expr_lvalue(&b, s->g->m, f, call->ops[k]);
			}
	}
	if (!ok && call->res != IR_NONE && !VNODE_IS_DEF(s->node)) {
		sbuf_clear(&b);
		ok = ir_expr(&b, s->g->m, f, IR_VREG(call->res));
	}
	s->f->variable = arena_strdup(&s->fs->arena, ok ? sbuf_str(&b) : "");
	sbuf_release(&b);
}

static struct finding *begin(struct story *s, enum finding_kind kind)
{
	const struct vfg *g = s->g;
	const struct ir_func *callee = ir_callee(g->m, &g->m->funcs.v[s->src->func].insts[s->src->inst]);
	const struct pta_obj *o = pta_obj(g->p, s->src->obj);
	struct finding *f = s->f = finding_new(s->fs);
	struct vnodes start = {0};

	vfg__start(g, s->src, &start);
	s->node = start.n ? start.v[0] : VNODE_VALUE(s->src->func, 0);
	vec_release(&start);
	f->kind = kind;
	f->resource = o->effect->value.resource->name;
	f->alloc = location(s, s->src->func, s->src->inst);
	f->leak = f->alloc;
	f->made = f->lost = (struct finding_site){ s->src->func, s->src->inst };
	f->allocator = callee ? callee->src :
		       o->root != IR_NONE ? g->m->funcs.v[o->root].src : "an allocator";
	f->condition = "";
	f->engines = FINDING_BY_VFG;
	f->confidence = FINDING_MEDIUM;
	name_variable(s);
	finding_add_step(s->fs, f, &f->alloc, "%s here by %s", resource_words(f->resource).got, f->allocator);
	return f;
}

void vfg__tell(const struct vfg *g, struct findings *fs, const struct vsource *src, const struct judged *j)
{
	struct story s = { .g = g, .fs = fs, .src = src, .steps = j->steps, .n = j->nsteps };

	assert(verdict_leaks(j->verdict));
	begin(&s, j->verdict == VERDICT_NEVER ? FINDING_NEVER_FREED : FINDING_CONDITIONAL);
	if (j->verdict != VERDICT_NEVER)
		tell_condition(&s);
	tell_steps(&s);
	if (!j->guesses)
		s.f->confidence = FINDING_HIGH;
}

void vfg__tell_lost(const struct vfg *g, struct findings *fs, const struct vsource *src,
		    const struct vfg_lost *lost)
{
	struct story s = { .g = g, .fs = fs, .src = src };
	const struct ir_func *fn = &g->m->funcs.v[src->func];
	struct finding *f = begin(&s, FINDING_OVERWRITTEN);
	struct finding_loc put = location(&s, src->func, lost->put);
	struct finding_loc over = location(&s, src->func, lost->over);
	struct sbuf b = {0};

	if (fn->insts[lost->put].op == IR_STORE && ir_expr_lvalue(&b, g->m, fn, fn->insts[lost->put].ops[0]))
		f->variable = arena_strdup(&fs->arena, sbuf_str(&b));
	sbuf_release(&b);
	if (over.line)
		f->leak = over;
	f->lost = (struct finding_site){ src->func, lost->over };
	if (put.line && put.line != f->alloc.line)
		finding_add_step(fs, f, &put, "kept in `%s` only", f->variable);
	if (lost->how == LOSS_PARKED) {
		finding_add_step(fs, f, &f->leak,
				 "nothing in the program looks at `%s` again: nobody can %s it",
				 f->variable, resource_words(f->resource).free);
		f->kind = FINDING_NEVER_FREED;
		return;
	}
	finding_add_step(fs, f, &f->leak,
			 lost->how == LOSS_NEXT_CALL ?
			 "the next call overwrites `%s` here: its old value is lost" :
			 "`%s` is overwritten here: its old value is lost", f->variable);
}

/* where: the global that holds it; empty if that holds it through others. */
void vfg__tell_held(const struct vfg *g, struct findings *fs, const struct vsource *src,
		    const char *where, const struct vsite *end)
{
	struct story s = { .g = g, .fs = fs, .src = src };
	struct finding *f = begin(&s, FINDING_NEVER_FREED);
	const char *what = *where ? where : f->variable;

	f->leak = location(&s, end->func, end->inst);
	if (!f->leak.line)
		f->leak = f->alloc;
	if (*where)
		f->variable = arena_strdup(&fs->arena, where);
	finding_add_step(fs, f, &f->leak,
			 "the program ends, and %s%s%s is still held: "
			 "nothing that runs after the allocation %ss it",
			 *what ? "`" : "it", what, *what ? "`" : "", resource_words(f->resource).free);
}

void vfg__tell_orphan(const struct vfg *g, struct findings *fs, const struct vsource *src,
		      const struct vsite *at)
{
	struct story s = { .g = g, .fs = fs, .src = src };
	struct finding *f = begin(&s, FINDING_NEVER_FREED);
	const char *freed = resource_words(f->resource).freed;

	end_at(&s, at->func, at->inst);
	if (*f->variable)
		finding_add_step(fs, f, &f->leak,
				 "what holds it is freed here, and `%s` is not %s: "
				 "the last pointer to it is lost",
				 f->variable, freed);
	else
		finding_add_step(fs, f, &f->leak,
				 "what holds it is freed here, and it is not %s: "
				 "the last pointer to it is lost", freed);
}
