/*
 * keep.c - see keep.h.
 *
 * An entry of the store:
 *
 *	number of items of the trace; of each: kind, identity, answer
 *	quiet; paths that the solver refuted
 *	summary, result (code.c)
 *
 * A function of a circle is walked several times, each time with other answers: it
 * has several entries under one key.
 */
#include "path/keep.h"

#include "base/store.h"
#include "path/code.h"

#define MAP_NAME namemap
#define MAP_KEY uint64_t
#define MAP_VAL uint64_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

enum { MAX_TRACE = 100000 };

struct keep {
	struct engine *e;
	struct store *store;
	uint64_t options;
	uint64_t *key;			/* by function; 0: not computed yet */
	uint64_t *sum;			/* by function: digest of its summary; 0: there is none */
	uint64_t *global;		/* by global: answer; 0: not asked yet */
	struct namemap names;		/* hash of a global's name -> identity of who has it */
	struct trace trace;
	bool was_quiet;			/* the function that is walked, before that */
	uint32_t refuted;		/* at its beginning */
	uint32_t taken;
};

/* ---- answers --------------------------------------------------------- */

static uint64_t func_answer(const struct keep *k, uint32_t func, uint32_t self)
{
	const struct engine *e = k->e;
	bool quiet = func == self ? k->was_quiet : bits_test(&e->quiet, func);
	bool wraps = e->pta && pta_wrapper(e->pta, func);

	return hash_join(hash_join(ident_func_head(&e->ids, func), k->sum[func]),
			 (uint64_t)quiet << 1 | wraps);
}

static uint64_t global_answer(struct keep *k, uint32_t global)
{
	const struct engine *e = k->e;

	if (!k->global[global])
		k->global[global] = hash_join(ident_global_digest(&e->ids, global),
					      bits_test(&e->fixed, global)) | 1;
	return k->global[global];
}

uint32_t keep_global(const struct ir_module *m, const char *name)
{
	uint64_t h = hash_str(name);

	trace_note(TRACE_NAME, (uint32_t)(h >> 32), (uint32_t)h);
	return ir_find_global(m, name);
}

/* The answer to what an earlier run has asked.  False: there is no such function or global. */
static bool answer(struct keep *k, unsigned kind, uint64_t id, uint32_t self, uint64_t *out)
{
	uint32_t i;

	switch ((enum path_trace)kind) {
	case TRACE_FUNC:
		i = ident_find_func(&k->e->ids, id);
		if (i == IR_NONE)
			return false;
		bits_set(k->e->asked, i);
		*out = func_answer(k, i, self);
		return true;
	case TRACE_GLOBAL:
		i = ident_find_global(&k->e->ids, id);
		if (i != IR_NONE)
			*out = global_answer(k, i);
		return i != IR_NONE;
	case TRACE_NAME:
		*out = namemap_get(&k->names, id) ? *namemap_get(&k->names, id) : 0;
		return true;
	case TRACE__COUNT:
		break;
	}
	return false;
}

static uint64_t id_of(const struct keep *k, struct trace_item t)
{
	switch ((enum path_trace)t.kind) {
	case TRACE_FUNC:
		return k->e->ids.func[t.a];
	case TRACE_GLOBAL:
		return k->e->ids.global[t.a];
	case TRACE_NAME:
		return (uint64_t)t.a << 32 | t.b;
	case TRACE__COUNT:
		break;
	}
	return 0;
}

/* ---- keys ------------------------------------------------------------ */

static uint64_t call_digest(const struct engine *e, uint32_t func, uint32_t inst)
{
	struct pta_callees c;
	uint64_t h;

	pta_callees(e->pta, func, inst, &c);
	h = c.unknown;
	SBITS_FOREACH(f, c.set)
		h = hash_join(h, ident_func_head(&e->ids, f));
	return h;
}

static uint64_t key_of(struct keep *k, uint32_t func)
{
	const struct engine *e = k->e;
	const struct ir_func *f = &e->m->funcs.v[func];
	uint64_t h = hash_join(k->options, ident_func_body(&e->ids, func));

	if (k->key[func])
		return k->key[func];
	for (uint32_t i = 0; i < f->ninsts && e->pta; i++) {
		const struct ir_inst *in = &f->insts[i];
		int64_t lo, hi;

		if (in->op == IR_CALL && !ir_callee(e->m, in))
			h = hash_join(hash_join(h, i), call_digest(e, func, i));
		else if (in->op == IR_LOAD && enums_range(&e->enums, func, in->res, &lo, &hi))
			h = hash_join(hash_join(hash_join(h, i), (uint64_t)lo), (uint64_t)hi);
	}
	/* the instructions are numbered otherwise (code.c) */
	for (uint32_t i = 0; i < f->ninsts && bits_test(&e->edited, func); i++)
		if (f->insts[i].flags & IR_F_ADDED)
			h = hash_join(h, i);
	for (uint32_t i = 0; i < f->nparams && e->pta; i++)
		h = hash_join(h, nulls_may_be(&e->nulls, func, i));
	return k->key[func] = h | 1;
}

struct keep *keep_new(struct engine *e, struct store *s)
{
	struct keep *k = xcalloc(1, sizeof(*k));
	const char *solver = solver_name();

	k->e = e;
	k->store = s;
	k->options = hash_join(hash_join(model_set_digest(e->models), hash_str(solver ? solver : "")),
			       (uint64_t)e->whole << 2 | (uint64_t)e->o->at_exit << 1 | (e->pta != NULL));
	for (uint32_t i = bits_next(&e->left, 0); i != UINT32_MAX; i = bits_next(&e->left, i + 1))
		k->options += hash_mix(e->ids.global[i]);
	k->key = xcalloc((size_t)e->m->funcs.n + 1, sizeof(*k->key));
	k->sum = xcalloc((size_t)e->m->funcs.n + 1, sizeof(*k->sum));
	k->global = xcalloc((size_t)e->m->globals.n + 1, sizeof(*k->global));
	for (uint32_t i = 0; i < e->m->globals.n; i++) {
		const char *name = e->m->globals.v[i].name;
		bool is_new;
		uint64_t *at;

		if (e->m->globals.v[i].flags & IR_G_STRING)
			continue;
		at = namemap_put(&k->names, hash_str(name), &is_new);
		if (is_new)
			*at = e->ids.global[ir_find_global(e->m, name)];
	}
	trace_init(&k->trace);
	/* functions that never return have one from the beginning */
	for (uint32_t i = 0; i < e->m->funcs.n; i++)
		if (e->sums[i].done)
			keep_set(k, i, &e->sums[i]);
	return k;
}

void keep_free(struct keep *k)
{
	if (!k)
		return;
	free(k->key);
	free(k->sum);
	free(k->global);
	namemap_release(&k->names);
	trace_release(&k->trace);
	free(k);
}

uint32_t keep_taken(const struct keep *k)
{
	return k->taken;
}

/* ---- entries --------------------------------------------------------- */

static bool is_same_surrounding(struct keep *k, uint32_t func, struct bytes *in)
{
	uint32_t n = get_count(in);

	for (uint32_t i = 0; i < n; i++) {
		unsigned kind = (unsigned)get_below(in, TRACE__COUNT);
		uint64_t id = get_u64(in), was = get_u64(in), now;

		if (in->bad || !answer(k, kind, id, func, &now) || now != was)
			return false;
	}
	return !in->bad;
}

static bool read_entry(struct keep *k, uint32_t func, struct summary *sum, struct result *r, struct bytes *in)
{
	struct engine *e = k->e;
	bool quiet = get_below(in, 2);
	uint32_t refuted = (uint32_t)get_below(in, UINT32_MAX);

	if (!code_get_summary(e, func, sum, in) || !code_get_result(e, func, r, in) || in->p != in->end) {
		summary_release(sum);
		result_release(r);
		memset(sum, 0, sizeof(*sum));
		return false;
	}
	if (quiet)
		bits_set(&e->quiet, func);
	e->refuted += refuted;
	return true;
}

bool keep_take(struct keep *k, uint32_t func, struct summary *sum, struct result *r)
{
	if (!k)
		return false;
	k->was_quiet = bits_test(&k->e->quiet, func);
	for (struct store_entry *s = store_find(k->store, key_of(k, func)); s; s = store_next(k->store, s)) {
		struct bytes in = { s->p, s->p + s->n, false };

		bits_zero(k->e->asked);
		if (!is_same_surrounding(k, func, &in) || !read_entry(k, func, sum, r, &in))
			continue;
		s->used = true;
		k->taken++;
		return true;
	}
	return false;
}

void keep_begin(struct keep *k, uint32_t func)
{
	if (!k)
		return;
	k->was_quiet = bits_test(&k->e->quiet, func);
	k->refuted = k->e->refuted;
	trace_clear(&k->trace);
	trace_now = &k->trace;
}

void keep_end(struct keep *k, uint32_t func, const struct summary *sum, const struct result *r)
{
	struct engine *e = k ? k->e : NULL;
	struct sbuf b = {0};
	uint32_t n = 0;

	trace_now = NULL;
	if (!k)
		return;
	for (uint32_t i = 0; i < trace_count(&k->trace); i++)
		n += trace_at(&k->trace, i).kind < TRACE__COUNT;
	put_num(&b, n);
	for (uint32_t i = 0; i < trace_count(&k->trace); i++) {
		struct trace_item t = trace_at(&k->trace, i);
		uint64_t now = 0;

		if (t.kind >= TRACE__COUNT)	/* of the points-to analysis: in the key */
			continue;
		put_num(&b, t.kind);
		put_u64(&b, id_of(k, t));
		answer(k, t.kind, id_of(k, t), func, &now);
		put_u64(&b, now);
	}
	put_num(&b, bits_test(&e->quiet, func));
	put_num(&b, e->refuted - k->refuted);
	if (code_put_summary(e, sum, &b) && code_put_result(e, r, &b) && trace_count(&k->trace) < MAX_TRACE)
		store_add(k->store, key_of(k, func), b.s, b.n);
	sbuf_release(&b);
}

void keep_set(struct keep *k, uint32_t func, const struct summary *sum)
{
	struct sbuf b = {0};

	if (!k)
		return;
	code_put_summary(k->e, sum, &b);
	k->sum[func] = hash_bytes(b.s, b.n, 0) | 1;
	sbuf_release(&b);
}
