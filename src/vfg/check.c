/*
 * check.c - all sources, on all cores.
 *
 * Threads take sources by number and judge them, which only reads the graph;
 * the leaks are reported afterwards by one thread in the order of the sources, so
 * that the output does not depend on who was first.
 */
#include "vfg/before.h"
#include "vfg/keep.h"
#include "vfg/latch.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/sbuf.h"

#include <pthread.h>
#include <stdatomic.h>

struct work {
	const struct vfg *g;
	const struct vfg_options *o;
	const struct vsources *src;
	struct judged *j;		/* by source */
	struct trace *trace;		/* by source: what was looked at; NULL: nothing is kept */
	bool *known;			/* by source: from an earlier run */
	struct vsite *at;		/* by source, ORPHANED: where the holder is freed */
	bool *folded;			/* by source: reported with another */
	atomic_uint next;
};

static void judge_source(struct detect *d, struct walker *k, const struct work *w, const struct vsource *src,
			 struct judged *j)
{
	const struct walk_step *steps;
	bool in_doubt;
	bdd freed;

	j->verdict = detect_source(d, src, &freed);
	j->end = detect_end(d);
	j->sliced = detect_is_sliced(d);
	j->answer = WALK_SAFE;
	in_doubt = j->verdict == VERDICT_SAFE && detect_in_doubt(d) != VERDICT_SAFE;
	if (verdict_leaks(j->verdict) || in_doubt)
		j->answer = walker_search(k, src, detect_way(d), in_doubt, &steps, &j->nsteps);
	if (in_doubt && j->answer == WALK_LEAK)
		j->verdict = detect_in_doubt(d);
	if (verdict_leaks(j->verdict))
		j->stats = *walker_stats(k);
	if (verdict_leaks(j->verdict) && j->answer == WALK_LEAK) {
		j->in_memory = walker_in_memory(k);
		j->guesses = walker_guesses(k, j->verdict == VERDICT_NEVER);
		j->steps = xmalloc(MAX(j->nsteps, 1) * sizeof(*steps));
		if (j->nsteps)
			memcpy(j->steps, steps, j->nsteps * sizeof(*steps));
		if (in_doubt && !walker_ever_kept(k, src, detect_way(d)))
			j->verdict = VERDICT_NEVER;
		return;
	}
	j->nsteps = 0;
	if (j->verdict != VERDICT_TOO_BIG && vfg__overwritten(w->g, d, src, &j->lost) &&
	    (j->lost.how != LOSS_HERE || walker_reaches(k, src, j->lost.over)))
		j->verdict = VERDICT_OVERWRITTEN;
}

/* The verdict names instructions of the source's function, those of steps and where the object
 * ends, so that it hangs on their bodies. */
static void note_named(const struct vsource *src, const struct judged *j)
{
	trace_note(FACT_INSIDE, src->func, 0);
	for (uint32_t i = 0; i < j->nsteps; i++)
		trace_note(FACT_INSIDE, j->steps[i].func, 0);
	if (j->end.ways)
		trace_note(FACT_INSIDE, j->end.func, 0);
}

static void *judge_sources(void *arg)
{
	struct work *w = arg;
	struct detect *d = detect_new(w->g, w->o);
	struct walker *k = walker_new(w->g, w->o);

	for (uint32_t i = atomic_fetch_add(&w->next, 1); i < w->src->n; i = atomic_fetch_add(&w->next, 1)) {
		if (w->known[i])
			continue;
		progress_step(i, w->g->m->funcs.v[w->src->v[i].func].src);
		if (w->trace) {
			trace_init(&w->trace[i]);
			trace_now = &w->trace[i];
		}
		judge_source(d, k, w, &w->src->v[i], &w->j[i]);
		note_named(&w->src->v[i], &w->j[i]);
		trace_now = NULL;
	}
	walker_free(k);
	detect_free(d);
	return NULL;
}

static void judge_all(struct work *w, unsigned jobs)
{
	pthread_t t[64];
	unsigned n = 0;

	uint32_t todo = 0;

	for (uint32_t i = 0; i < w->src->n; i++)
		todo += !w->known[i];
	if (!todo)
		return;
	jobs = MIN(jobs ? jobs : proc_cpus(), (unsigned)ARRAY_LEN(t));
	progress_start("value flow", w->src->n);
	while (n + 1 < jobs && n + 1 < todo && pthread_create(&t[n], NULL, judge_sources, w) == 0)
		n++;
	judge_sources(w);
	while (n)
		pthread_join(t[--n], NULL);
}

/* Those that an earlier run knows are not judged, the others are kept for the next. */
static void judge_new(struct work *w, struct vfg_stats *stats)
{
	struct vfg_before *before = w->o->before;
	struct vkeep *k = vkeep_new(w->g, w->o);
	struct vkept *kept = xcalloc(MAX(w->src->n, 1), sizeof(*kept));
	struct added added = {0};

	if (before && before_is_full(before))
		added_init(&added, w->g->p);
	w->trace = xcalloc(MAX(w->src->n, 1), sizeof(*w->trace));
	for (uint32_t i = 0; i < w->src->n; i++) {
		w->known[i] = vkeep_take(k, &w->src->v[i], &w->j[i], &kept[i]) ||
			      (before && before_take(before, &added, k, &w->src->v[i], &w->j[i]));
		stats->kept += w->known[i];
	}
	judge_all(w, w->o->jobs);
	for (uint32_t i = 0; i < w->src->n; i++)
		if (!w->known[i]) {
			vkeep_put(k, &w->src->v[i], &w->j[i], &w->trace[i], &kept[i]);
			trace_release(&w->trace[i]);
		}
	if (before && !before_is_full(before)) {
		for (uint32_t i = 0; i < w->src->n; i++)
			before_put(before, vkeep_key(k, &w->src->v[i]), &w->j[i], &kept[i]);
		before_end(before);
	}
	added_release(&added);
	free(w->trace);
	free(kept);
	vkeep_free(k);
}

/* Does the library call that makes both (open_memstream) return one and store the other?
 * If both leak, only the first is reported. */
static bool is_of_stream(const struct vfg *g, const struct vsource *part, const struct vsource *whole)
{
	const struct model_effect *a = pta_obj(g->p, part->obj)->effect;
	const struct model_effect *b = pta_obj(g->p, whole->obj)->effect;
	uint32_t callee;

	return !vfg__handout(g, part, &callee) && a->place.base != MODEL_RETURN &&
	       b->place.base == MODEL_RETURN;
}

/* What of the sources that leak others are folded into. */
struct lost_with {
	struct holder {
		uint32_t source;	/* + 1; 0: none */
		bool more;		/* and others */
	} *holder;			/* by object: who may keep it */
	struct vsitemap first;		/* by call: source + 1 */
	uint32_t *next;			/* by source: the next one of that call, + 1 */
};

static void note_held(struct lost_with *x, const struct vfg *g, const struct vsource *src, uint32_t source)
{
	for (uint32_t l = pta_obj(g->p, src->obj)->first_loc; l != IR_NONE; l = pta_loc(g->p, l)->next)
		SBITS_FOREACH(to, pta_cell(g->p, l)) {
			struct holder *h = &x->holder[pta_loc(g->p, to)->obj];

			if (!h->source)
				h->source = source + 1;
			else
				h->more |= h->source != source + 1;
		}
}

static void lost_with_init(struct lost_with *x, const struct vfg *g, const struct work *w)
{
	memset(x, 0, sizeof(*x));
	x->holder = xcalloc(pta_nobjs(g->p), sizeof(*x->holder));
	x->next = xcalloc(w->src->n, sizeof(*x->next));
	for (uint32_t i = 0; i < w->src->n; i++) {
		const struct vsource *src = &w->src->v[i];
		uint32_t *first;

		if (!verdict_leaks(w->j[i].verdict))
			continue;
		note_held(x, g, src, i);
		first = vsitemap_put(&x->first, VSITE_KEY(src->func, src->inst), NULL);
		x->next[i] = *first;
		*first = i + 1;
	}
}

static void lost_with_release(struct lost_with *x)
{
	vsitemap_release(&x->first);
	free(x->holder);
	free(x->next);
}

/* Is the object kept in another one that leaks?  Then that one is the finding:
 * who frees it frees what is in it.  (A constructor's parts leak wherever a
 * caller forgets the whole.  Points-to sets do not tell which caller's: where one
 * forgets the whole and another only a part, the second is not reported.) */
static bool is_folded(const struct lost_with *x, const struct vfg *g, const struct work *w, uint32_t source)
{
	const struct vsource *src = &w->src->v[source];
	const struct holder *h = &x->holder[src->obj];
	const uint32_t *first = vsitemap_get(&x->first, VSITE_KEY(src->func, src->inst));

	if (w->j[source].in_memory && h->source && (h->more || h->source != source + 1))
		return true;
	for (uint32_t i = first ? *first : 0; i; i = x->next[i - 1])
		if (i - 1 != source && is_of_stream(g, src, &w->src->v[i - 1]))
			return true;
	return false;
}

static void fold(struct work *w)
{
	struct lost_with x;

	lost_with_init(&x, w->g, w);
	w->folded = xcalloc(w->src->n, sizeof(*w->folded));
	for (uint32_t i = 0; i < w->src->n; i++)
		w->folded[i] = verdict_leaks(w->j[i].verdict) && is_folded(&x, w->g, w, i);
	lost_with_release(&x);
}

static void tell_verbose(const struct ir_module *m, const struct vsource *src, const char *what,
			 const char *why)
{
	const struct ir_func *f = &m->funcs.v[src->func];
	const struct ir_pos *p = &f->insts[src->inst].pos;

	diag_verbose("%s:%u: allocation in %s(): %s: %s",
		     p->file == IR_NONE ? "?" : m->files.v[p->file], p->line, f->src, what, why);
}

static void tell_dropped(const struct ir_module *m, const struct vsource *src, const char *why)
{
	tell_verbose(m, src, "a leak by its guards, not reported", why);
}

/* Why a leak is not of high confidence. */
static void tell_guesses(const struct ir_module *m, const struct vsource *src, uint32_t guesses)
{
	static const char *const words[] = {
#define X(e, w) w,
		WALK_GUESSES(X)
#undef X
	};
	struct sbuf b = {0};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (guesses >> i & 1)
			sbuf_printf(&b, "%s%s", b.n ? "; " : "", words[i]);
	if (guesses)
		tell_verbose(m, src, "possible, not certain", sbuf_str(&b));
	sbuf_release(&b);
}

static void add_stats(struct vfg_stats *all, const struct walk_stats *s)
{
	all->asked += s->asked;
	all->impossible += s->impossible;
	all->not_known += s->not_known;
	all->seconds_asked += s->seconds;
}

/* What guards hold to leak, but no path does, does not. */
static void confirm(struct work *w, struct vfg_stats *stats)
{
	for (uint32_t i = 0; i < w->src->n; i++) {
		if (!verdict_leaks(w->j[i].verdict) || w->j[i].answer == WALK_LEAK)
			continue;
		if (w->j[i].answer == WALK_SAFE) {
			w->j[i].verdict = VERDICT_SAFE;
			stats->refuted++;
		} else {
			w->j[i].verdict = VERDICT_TOO_BIG;
		}
		tell_dropped(w->g->m, &w->src->v[i],
			     w->j[i].answer == WALK_SAFE ? "no path loses it" : "too many paths to tell");
	}
}

static bool asks_latches(struct latches *l, const struct judged *j)
{
	for (uint32_t i = 0; i < j->nsteps; i++)
		if (j->steps[i].kind == WALK_BRANCH && latches_asked(l, j->steps[i].func, j->steps[i].inst))
			return true;
	return false;
}

/* For a second look at some of the sources, with more in mind. */
struct again {
	struct detect *d;
	struct walker *k;
};

static void again_init(struct again *a, const struct work *w)
{
	a->d = detect_new(w->g, w->o);
	a->k = walker_new(w->g, w->o);
}

static void again_release(struct again *a)
{
	if (!a->k)
		return;
	walker_free(a->k);
	detect_free(a->d);
}

/* What becomes of a leak: WALK_LEAK if it is one still, in this or another way. */
static enum walk_answer look_again(const struct again *a, const struct work *w, uint32_t source)
{
	struct judged now = {0};

	judge_source(a->d, a->k, w, &w->src->v[source], &now);
	free(now.steps);
	return verdict_leaks(now.verdict) || now.verdict == VERDICT_SAFE ? now.answer : WALK_LEAK;
}

/* A path that begins with a flag set, which must be zero there: is there another one? */
static void ask_latches(struct work *w, struct vfg_stats *stats)
{
	struct latches *l = latches_new(w->g);
	struct again a = {0};

	for (uint32_t i = 0; i < w->src->n; i++) {
		struct judged *j = &w->j[i];
		enum walk_answer now;

		if (!verdict_leaks(j->verdict) || !asks_latches(l, j))
			continue;
		if (!a.k) {
			again_init(&a, w);
			walker_know(a.k, l);
		}
		now = look_again(&a, w, i);
		if (now == WALK_LEAK)
			continue;
		j->verdict = now == WALK_SAFE ? VERDICT_SAFE : VERDICT_TOO_BIG;
		stats->refuted += now == WALK_SAFE;
		tell_dropped(w->g->m, &w->src->v[i],
			     "lost only on paths that begin with a flag set that is not");
	}
	again_release(&a);
	latches_free(l);
}

enum vfg_said vfg_said(const struct vfg *g, uint32_t func, uint32_t inst)
{
	const uint32_t *said = vsitemap_get(&g->said, VSITE_KEY(func, inst));

	return said ? (enum vfg_said)*said : VFG_SAYS_NOTHING;
}

struct vfg_ended vfg_ended(const struct vfg *g, uint32_t obj)
{
	return g->ended[obj];
}

static struct vfg_ended ended(const struct judged *j)
{
	struct vfg_ended e = { VFG_END_JUDGED, IR_NONE, IR_NONE };

	if (j->verdict == VERDICT_TOO_BIG) {
		e.how = j->answer != WALK_SAFE ? VFG_END_PATHS :
			j->sliced ? VFG_END_SLICE : VFG_END_CONDITIONS;
	} else if (j->verdict == VERDICT_SAFE && j->end.ways) {
		e.how = j->end.ways & END_STORED ? VFG_END_STORED :
			j->end.ways & END_NO_TARGET ? VFG_END_NO_TARGET : VFG_END_DEEP;
		e.func = j->end.func;
		e.inst = j->end.inst;
	}
	return e;
}

static void remember(struct vfg *g, const struct work *w)
{
	g->ended = xcalloc(MAX(pta_nobjs(g->p), 1), sizeof(*g->ended));
	for (uint32_t i = 0; i < w->src->n; i++)
		g->ended[w->src->v[i].obj] = ended(&w->j[i]);
	for (uint32_t i = 0; i < w->src->n; i++) {
		enum verdict v = w->j[i].verdict;
		uint32_t *at = vsitemap_put(&g->said, VSITE_KEY(w->src->v[i].func, w->src->v[i].inst), NULL);
		enum vfg_said said = v == VERDICT_SAFE ? VFG_SAYS_SAFE :
				     v == VERDICT_TOO_BIG ? VFG_NOT_JUDGED : VFG_SAYS_LEAK;

		if (w->folded[i])
			said = VFG_SAYS_PART;
		*at = MAX(*at, (uint32_t)said);		/* of several, the worst */
	}
}

/* What is safe as far as it was followed, but is in something that others free. */
static void find_orphans(struct work *w)
{
	struct vorphans *v = vfg__orphans_new(w->g);

	w->at = xcalloc(MAX(w->src->n, 1), sizeof(*w->at));
	for (uint32_t i = 0; i < w->src->n; i++)
		if ((w->j[i].verdict == VERDICT_SAFE || w->j[i].verdict == VERDICT_TOO_BIG) &&
		    vfg__is_orphan(v, &w->src->v[i], &w->at[i]))
			w->j[i].verdict = VERDICT_ORPHANED;
	vfg__orphans_free(v);
}

/* Does the path ask for memory, and does the other engine know what calls leave there? */
static bool may_be_told(const struct work *w, const struct judged *j)
{
	uint32_t last = IR_NONE;
	bool found = false;

	for (uint32_t i = 0; i < j->nsteps && !found &&
	     j->guesses & (WALK_GUESS_WRITTEN | WALK_GUESS_INIT); i++)
		if (j->steps[i].func != last)
			found = walker_is_told(w->g, w->o->second, last = j->steps[i].func);
	return found;
}

/* Is there still a path when the other engine says what calls leave behind? */
static void walk_again(struct work *w, struct vfg_stats *stats)
{
	struct again a = {0};

	for (uint32_t i = 0; w->o->second && i < w->src->n; i++) {
		if (!verdict_leaks(w->j[i].verdict) || !may_be_told(w, &w->j[i]))
			continue;
		if (!a.k) {
			again_init(&a, w);
			walker_ask(a.k, w->o->second);
		}
		if (look_again(&a, w, i) != WALK_SAFE)
			continue;
		w->j[i].verdict = VERDICT_SAFE;
		stats->refuted++;
		tell_dropped(w->g->m, &w->src->v[i],
			     "no path loses it, by what the functions called on it leave behind");
	}
	again_release(&a);
}

/* What another engine has seen freed on every path is safe. */
static void ask_second(struct work *w, struct vfg_stats *stats)
{
	const struct vfg_second *s = w->o->second;

	for (uint32_t i = 0; s && i < w->src->n; i++)
		if ((verdict_leaks(w->j[i].verdict) || w->j[i].verdict == VERDICT_OVERWRITTEN) &&
		    s->is_safe(s->arg, w->src->v[i].func, w->src->v[i].inst,
			       pta_obj(w->g->p, w->src->v[i].obj)->effect)) {
			w->j[i].verdict = VERDICT_SAFE;
			w->j[i].end = (struct vend){ 0, IR_NONE, IR_NONE };
			stats->refuted++;
			tell_dropped(w->g->m, &w->src->v[i],
				     "it is freed on every path through the function");
		}
}

void vfg_check(struct vfg *g, struct findings *fs, const struct vfg_options *o, struct vfg_stats *stats)
{
	struct vfg_options opt = *o;
	struct vsources src = {0};
	struct work w = { .g = g, .o = &opt, .src = &src };
	double start = clock_now();

	opt.slice_limit = opt.slice_limit ? opt.slice_limit : VFG_SLICE_LIMIT;
	opt.loop = opt.loop ? opt.loop : 1;
	vfg__sources(g, &src);
	memset(stats, 0, sizeof(*stats));
	stats->sources = src.n;
	w.j = xcalloc(MAX(src.n, 1), sizeof(*w.j));
	w.known = xcalloc(MAX(src.n, 1), sizeof(*w.known));
	walker_find_returns(g);
	vfg__find_looked(g);
	if (opt.store)
		judge_new(&w, stats);
	else
		judge_all(&w, opt.jobs);
	confirm(&w, stats);
	ask_latches(&w, stats);
	ask_second(&w, stats);
	walk_again(&w, stats);
	find_orphans(&w);
	fold(&w);
	remember(g, &w);
	for (uint32_t i = 0; i < src.n; i++) {
		stats->too_big += w.j[i].verdict == VERDICT_TOO_BIG;
		stats->too_many += w.j[i].verdict == VERDICT_TOO_BIG && w.j[i].answer != WALK_SAFE;
		if (w.j[i].verdict == VERDICT_OVERWRITTEN) {
			stats->reported++;
			vfg__tell_lost(g, fs, &src.v[i], &w.j[i].lost);
			continue;
		}
		if (w.j[i].verdict == VERDICT_ORPHANED) {
			stats->reported++;
			vfg__tell_orphan(g, fs, &src.v[i], &w.at[i]);
			continue;
		}
		if (!verdict_leaks(w.j[i].verdict) || w.folded[i])
			continue;
		stats->reported++;
		if (opt.judge)
			tell_guesses(g->m, &src.v[i], w.j[i].guesses);
		vfg__tell(g, fs, &src.v[i], &w.j[i]);
	}
	if (opt.at_exit && ir_is_program(g->m)) {
		bool *is_open = xcalloc(MAX(src.n, 1), sizeof(*is_open));

		for (uint32_t i = 0; i < src.n; i++)
			is_open[i] = w.j[i].verdict == VERDICT_SAFE;
		stats->reported += vfg__tell_held_at_exit(g, fs, &src, is_open);
		free(is_open);
	}
	for (uint32_t i = 0; i < src.n; i++)
		add_stats(stats, &w.j[i].stats);
	for (uint32_t i = 0; i < src.n; i++)
		free(w.j[i].steps);
	free(w.j);
	free(w.known);
	free(w.at);
	free(w.folded);
	vec_release(&src);
	stats->seconds_detect = clock_now() - start;
}

/* ---- as text --------------------------------------------------------- */

#define MAP_NAME nodeset
#define MAP_KEY vnode
#define MAP_VAL bool
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* The paper's label of a call or return edge: where the call is, which tells which
 * return belongs to it. */
static void dump_site(const struct vfg *g, vnode from, const struct vedge *e, FILE *f)
{
	bool ret = e->kind == VE_RET;
	const struct ir_func *caller = &g->m->funcs.v[VNODE_FUNC(ret ? e->to : from)];
	const struct ir_pos *pos = &caller->insts[ret ? e->site : e->inst].pos;

	fprintf(f, "@%u:%u", pos->line, pos->col);
}

static void dump_edge(struct vfg *g, vnode from, const char *name, const struct vedge *e, FILE *f)
{
	static const char *const names[] = {
		[VE_FLOW] = "flow", [VE_PHI] = "phi", [VE_CALL] = "call", [VE_RET] = "ret",
		[VE_FREE] = "free", [VE_ESCAPE] = "escape", [VE_OUT] = "out",
	};
	struct sbuf to = {0};

	if (e->kind == VE_FREE || e->kind == VE_ESCAPE || e->kind == VE_OUT)
		sbuf_adds(&to, "sink");
	else
		vfg__node_name(g, e->to, &to);
	fprintf(f, "  %s -%s", name, names[e->kind]);
	if (e->kind == VE_CALL || e->kind == VE_RET)
		dump_site(g, from, e, f);
	fprintf(f, "-> %s\n", sbuf_str(&to));
	sbuf_release(&to);
}

static void dump_source(struct vfg *g, const struct vsource *src, FILE *f)
{
	struct vnodes todo = {0};
	struct nodeset seen = {0};
	struct vedges edges = {0};
	struct sbuf name = {0};

	vfg__start(g, src, &todo);
	for (uint32_t i = 0; i < todo.n; i++)
		nodeset_put(&seen, todo.v[i], NULL);
	for (uint32_t i = 0; i < todo.n; i++) {
		vfg__edges(g, todo.v[i], src->obj, &edges);
		sbuf_clear(&name);
		vfg__node_name(g, todo.v[i], &name);
		for (uint32_t k = 0; k < edges.n; k++) {
			bool is_new = false;

			dump_edge(g, todo.v[i], sbuf_str(&name), &edges.v[k], f);
			if (edges.v[k].kind <= VE_RET)
				nodeset_put(&seen, edges.v[k].to, &is_new);
			if (is_new)
				vec_push(&todo, edges.v[k].to);
		}
	}
	sbuf_release(&name);
	vec_release(&edges);
	vec_release(&todo);
	nodeset_release(&seen);
}

static void source_name(struct vfg *g, const struct vsource *src, struct sbuf *out)
{
	pta_loc_name(g->p, pta_obj(g->p, src->obj)->first_loc, out);
}

void vfg_dump(struct vfg *g, FILE *f)
{
	struct vsources src = {0};
	struct sbuf name = {0};

	vfg__sources(g, &src);
	for (uint32_t i = 0; i < src.n; i++) {
		sbuf_clear(&name);
		source_name(g, &src.v[i], &name);
		fprintf(f, "%s in %s:\n", sbuf_str(&name), g->m->funcs.v[src.v[i].func].name);
		dump_source(g, &src.v[i], f);
	}
	sbuf_release(&name);
	vec_release(&src);
}

/* A guard as nested choices on the lines of its branches. */
static void dump_guard(struct detect *d, bdd b, FILE *f, int depth)
{
	struct guards *gd = detect_guards(d);
	uint32_t var;
	bdd low, high;

	if (b <= BDD_TRUE || depth > 20) {
		fprintf(f, "%s", b == BDD_TRUE ? "true" :
			b == BDD_FALSE ? "false" : "...");
		return;
	}
	bdd_top(gd->bdd, b, &var, &low, &high);
	fprintf(f, "(%s:%u ? ", gd->g->m->funcs.v[gd->info.v[var].func].name,
		gd->g->m->funcs.v[gd->info.v[var].func].insts[gd->info.v[var].inst].pos.line);
	dump_guard(d, gd->info.v[var].flip ? low : high, f, depth + 1);
	fprintf(f, " : ");
	dump_guard(d, gd->info.v[var].flip ? high : low, f, depth + 1);
	fprintf(f, ")");
}

void vfg_dump_guards(struct vfg *g, FILE *f)
{
	static const char *const verdicts[] = { "safe", "never freed", "freed on some paths", "too big" };
	struct vfg_options o = { .slice_limit = VFG_SLICE_LIMIT };
	struct detect *d = detect_new(g, &o);
	struct vsources src = {0};
	struct sbuf name = {0};

	vfg__sources(g, &src);
	for (uint32_t i = 0; i < src.n; i++) {
		bdd freed;
		enum verdict v = detect_source(d, &src.v[i], &freed);

		sbuf_clear(&name);
		source_name(g, &src.v[i], &name);
		fprintf(f, "%s in %s: %s: ", sbuf_str(&name), g->m->funcs.v[src.v[i].func].name, verdicts[v]);
		dump_guard(d, freed, f, 0);
		fprintf(f, "\n");
	}
	sbuf_release(&name);
	vec_release(&src);
	detect_free(d);
}
