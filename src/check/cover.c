/*
 * cover.c - the class of each allocation, from what both engines say (finding/coverage.h).
 *
 * What is reported is judged.  Of the rest the value-flow engine knows on what its "safe" rests.  If that is
 * more than releases, callers outside and the end of the program,
 *
 *   - the path engine may have seen the object released on every path of every function that gets it: judged;
 *   - where it is stored there may be somebody who releases it (pta/owned.h): judged, but not if a limit was
 *     reached, for then the other ways of the object were not looked at;
 *   - else it is what the value-flow engine says: only stored, or cut.
 *
 * With --engine path it is the other way round: what that engine has seen to its end on all paths is judged,
 * what others have is asked after by the points-to sets, and where it did not see all paths it is cut.
 *
 * An object that a call makes is one allocation: open_memstream() makes two.  A wrapper's own allocation is
 * not counted, since each of its callers has one.
 */
#include "check/cover.h"

#include "base/diag.h"
#include "base/sbuf.h"
#include "pta/owned.h"

#include <stdlib.h>

#define MAP_NAME sites
#define MAP_KEY uint64_t
#define MAP_VAL bool
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct line {			/* for those who want to see for themselves */
	struct finding_loc at, there;	/* there: line is 0 if no place is known */
	const char *what, *reason;
};

struct cover {
	struct findings *fs;
	const struct cover_from *from;
	const struct ir_module *m;
	struct owned *owned;
	struct sites reported;		/* calls that a finding is about */
	struct sbuf too_many;		/* places: the reason in words */
	VEC(struct line) lines;
};

struct judgement {
	enum coverage_class class;
	const char *reason;		/* why; NULL: there is no more to say */
	uint32_t func, inst;		/* the place where that is so, or IR_NONE */
};

static uint64_t site_key(uint32_t func, uint32_t inst)
{
	return (uint64_t)func << 32 | inst;
}

static struct judgement from_values(const struct cover *c, uint32_t obj)
{
	struct vfg_ended e = vfg_ended(c->from->vfg, obj);
	struct judgement j = { COVERAGE_CUT, NULL, e.func, e.inst };

	switch ((enum vfg_end)e.how) {
	case VFG_END_JUDGED:
		j.class = COVERAGE_JUDGED;
		break;
	case VFG_END_STORED:
		j.class = COVERAGE_STORED;
		break;
	case VFG_END_NO_TARGET:
		j.reason = "it only reaches calls through pointers of which no function is known";
		break;
	case VFG_END_DEEP:
		j.reason = "too many calls below each other, or too many callers";
		break;
	case VFG_END_SLICE:
		j.reason = c->too_many.s;
		break;
	case VFG_END_CONDITIONS:
		j.reason = "too many conditions";
		break;
	case VFG_END_PATHS:
	case VFG_END__COUNT:
		j.reason = "too many paths";
		break;
	}
	return j;
}

static struct judgement from_paths(unsigned fate)
{
	struct judgement j = { COVERAGE_CUT, NULL, IR_NONE, IR_NONE };

	if (fate & PATH_FATE_CUT)
		j.reason = "too many paths";
	else if (fate & PATH_FATE_STORED)
		j.class = COVERAGE_STORED;
	else if (fate & PATH_FATE_KNOWN)
		j.class = COVERAGE_JUDGED;
	else
		j.reason = "no path that makes it was followed to its end";
	return j;
}

static struct judgement judge(const struct cover *c, uint32_t obj)
{
	const struct pta_obj *o = pta_obj(c->from->pta, obj);
	unsigned fate = c->from->path ? path_fate(c->from->path, o->func, o->index) : 0;
	struct judgement j = c->from->vfg ? from_values(c, obj) : from_paths(fate);
	bool no_target = c->from->vfg && vfg_ended(c->from->vfg, obj).how == VFG_END_NO_TARGET;
	bool followed = j.class == COVERAGE_STORED || no_target;

	if (sites_get(&c->reported, site_key(o->func, o->index)))
		return (struct judgement){ COVERAGE_JUDGED, "it is reported", IR_NONE, IR_NONE };
	if (fate == PATH_FATE_KNOWN)
		return (struct judgement){ COVERAGE_JUDGED, NULL, IR_NONE, IR_NONE };
	if (followed && !c->from->gave_up && owned_release(c->owned, obj, &j.func, &j.inst))
		return (struct judgement){ COVERAGE_JUDGED, "stored, and released from there",
					   j.func, j.inst };
	if (j.class == COVERAGE_STORED && c->from->gave_up)
		return (struct judgement){ COVERAGE_CUT, "the points-to sets of the program are too large",
					   IR_NONE, IR_NONE };
	return j;
}

static void add(struct cover *c, uint32_t obj)
{
	static const char *const names[] = { "judged", "only stored", "cut" };
	const struct pta_obj *o = pta_obj(c->from->pta, obj);
	const struct ir_func *f = &c->m->funcs.v[o->func];
	struct finding_loc at = finding_at(c->m, f, &f->insts[o->index]);
	struct judgement j;
	struct line l;

	if (finding_is_excluded(c->fs, at.file)) {
		c->fs->coverage.allocations_excluded++;
		return;
	}
	j = judge(c, obj);
	l = (struct line){ .at = at, .what = names[j.class], .reason = j.reason };

	coverage_add(c->fs, j.class, j.reason);
	assert(j.func == IR_NONE || j.inst < c->m->funcs.v[j.func].ninsts);
	if (j.func != IR_NONE)
		l.there = finding_at(c->m, &c->m->funcs.v[j.func], &c->m->funcs.v[j.func].insts[j.inst]);
	if (c->from->list || (diag_is_verbose() && j.class != COVERAGE_JUDGED))
		vec_push(&c->lines, l);
}

/* ---- lists ------------------------------------------------------------ */

static int by_place(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int r = strcmp(x->at.file ? x->at.file : "", y->at.file ? y->at.file : "");

	if (!r)
		r = (x->at.line > y->at.line) - (x->at.line < y->at.line);
	if (!r)
		r = (x->at.column > y->at.column) - (x->at.column < y->at.column);
	return r ? r : strcmp(x->what, y->what);
}

static void print_lines(struct cover *c)
{
	struct sbuf b = {0}, shown = {0};

	if (c->lines.n)
		qsort(c->lines.v, c->lines.n, sizeof(*c->lines.v), by_place);
	for (uint32_t i = 0; i < c->lines.n; i++) {
		const struct line *l = &c->lines.v[i];

		sbuf_clear(&b);
		sbuf_printf(&b, "%s:%u: allocation in %s(): %s",
			    l->at.file ? finding_path(c->fs, l->at.file) : "?", l->at.line, l->at.function,
			    l->what);
		if (l->reason)
			sbuf_printf(&b, ": %s", l->reason);
		if (l->there.line)
			sbuf_printf(&b, ", at %s:%u in %s()",
				    finding_path(c->fs, l->there.file), l->there.line, l->there.function);
		if (c->from->list) {
			sbuf_clear(&shown);
			diag_harmless(&shown, sbuf_str(&b));
			fprintf(c->from->list, "%s\n", sbuf_str(&shown));
		} else {
			diag_verbose("%s", sbuf_str(&b));
		}
	}
	sbuf_release(&shown);
	sbuf_release(&b);
}

/* ---- functions -------------------------------------------------------- */

static void add_functions(struct cover *c)
{
	struct sbuf b = {0};

	for (uint32_t i = 0; c->from->path && i < c->m->funcs.n; i++) {
		const struct ir_func *f = &c->m->funcs.v[i];

		if (ir_is_decl(f) || !path_is_incomplete(c->from->path, i))
			continue;
		sbuf_clear(&b);
		sbuf_adds(&b, f->src);
		if (f->pos.file != IR_NONE)
			sbuf_printf(&b, " (%s:%u)",
				    finding_path(c->fs, c->m->files.v[f->pos.file]), f->pos.line);
		coverage_name(c->fs, &c->fs->coverage.functions_incomplete, sbuf_str(&b));
	}
	sbuf_release(&b);
}

void cover_program(struct findings *fs, const struct cover_from *from)
{
	struct cover c = { .fs = fs, .from = from, .m = pta_module(from->pta),
			   .owned = owned_new(from->pta) };

	fs->coverage.known = true;
	sbuf_printf(&c.too_many, "it flows to more than %u places (--slice-limit)", from->slice_limit);
	for (uint32_t i = 0; i < fs->v.n; i++)
		if (fs->v.v[i]->made.func != IR_NONE)
			sites_put(&c.reported, site_key(fs->v.v[i]->made.func, fs->v.v[i]->made.inst), NULL);
	for (uint32_t i = 0; i < pta_nobjs(from->pta); i++) {
		const struct pta_obj *o = pta_obj(from->pta, i);

		if (owned_counts(c.owned, i) ||
		    (pta_is_source(from->pta, i) && sites_get(&c.reported, site_key(o->func, o->index))))
			add(&c, i);
	}
	add_functions(&c);
	print_lines(&c);
	vec_release(&c.lines);
	sites_release(&c.reported);
	sbuf_release(&c.too_many);
	owned_free(c.owned);
}
