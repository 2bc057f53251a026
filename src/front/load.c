/*
 * load.c - front_load(): from what the user names to one linked program.
 *
 * What the cache has is read at once, in this process; the rest is made by
 * worker processes, whose records come back through pipes and are read while
 * others are still compiling.  The program is linked from the units in the order
 * of their paths: the same units give the same program, whatever the order in which they
 * were named, in which they stand in a database, or in which a linker met them.
 */
#include "front/front.h"

#include "front/asked.h"
#include "front/cache.h"
#include "front/compdb.h"
#include "front/input.h"
#include "front/lower.h"
#include "front/needed.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/sbuf.h"
#include "ir/build.h"
#include "ir/io.h"

#include <assert.h>
#include <signal.h>

enum { TIME_LIMIT = 900 };	/* seconds for one unit */

struct load {
	const struct front_options *o;
	struct front_result *r;
	struct items items;
	struct asked asked;
	struct needed needed;
	char *clang;
	struct cache *cache;
	VEC(uint32_t) todo;		/* items for the workers */
	unsigned finished;
};

static unsigned workers(const struct front_options *o)
{
	return o->jobs ? o->jobs : proc_cpus();
}

static uint64_t memory_limit(const struct front_options *o)
{
	return o->memory_limit ? o->memory_limit : UNIT_MEMORY_LIMIT;
}

/* ---- in the worker ---- */

static int lower_file(struct sbuf *out, const struct item *it)
{
	struct ir_module *m = NULL;
	struct filemap f;
	int ret;

	if ((ret = filemap_open_named(&f, it->path)) < 0)
		return ret;
	if (it->at > f.n || it->n > f.n - it->at)
		ret = error_set("the file has changed");
	else if (it->kind == ITEM_TEXT)
		ret = ir_parse(&m, f.p, f.n, it->file);
	else
		ret = lower_bitcode(&m, f.p + it->at, it->n, it->file);
	if (ret == 0)
		ir_write(m, out);
	ir_module_free(m);
	filemap_close(&f);
	return ret;
}

static void meet_all(struct load *l, const struct args *files)
{
	for (uint32_t i = 0; i < files->n; i++)
		asked_meet(&l->asked, files->v[i], "/");
}

/* The result is the times, a bool for each file that was asked about (was it read?), and the record; or
 * the message. */
static int job(void *ctx, unsigned i, struct sbuf *out)
{
	struct load *l = ctx;
	struct item *it = &l->items.v[l->todo.v[i]];
	struct unit_times times = {0};
	struct args files = {0};
	double start = clock_cpu();
	int ret;

	assert(it->kind != ITEM_DONE);
	sbuf_add(out, &times, sizeof(times));
	if (l->asked.met.n)
		sbuf_add(out, l->asked.met.v, l->asked.met.n);
	if (it->kind == ITEM_SOURCE) {
		ret = unit_record(out, &times, &it->unit, l->clang, l->cache, l->asked.met.n ? &files : NULL);
		meet_all(l, &files);
		args_release(&files);
	} else {
		ret = lower_file(out, it);
		times.lower = clock_cpu() - start;
	}
	if (ret < 0) {
		sbuf_clear(out);
		sbuf_adds(out, error_last());
		return 1;
	}
	memcpy(out->s, &times, sizeof(times));
	if (l->asked.met.n)
		memcpy(out->s + sizeof(times), l->asked.met.v, l->asked.met.n);
	return 0;
}

/* ---- in the parent ---- */

static int read_record(struct load *l, struct item *it, const void *p, size_t n)
{
	double start = clock_cpu();
	size_t used;
	int ret;

	ret = ir_read(&it->module, &used, p, n);
	l->r->seconds_lower += clock_cpu() - start;
	if (ret == 0)
		it->kind = ITEM_DONE;
	return ret;
}

static void done(void *ctx, unsigned i, int status, int ret, const char *out, size_t n)
{
	struct load *l = ctx;
	struct item *it = &l->items.v[l->todo.v[i]];
	size_t head = sizeof(struct unit_times) + l->asked.met.n;
	struct unit_times times;

	assert(it->kind != ITEM_DONE && l->finished < l->todo.n);
	if (status == SIGALRM) {
		char *text = xasprintf("took longer than %d s", TIME_LIMIT);

		item_fail(it, text);
		free(text);
	} else if (status) {
		char *text = unit_crash_text(status, memory_limit(l->o));

		item_fail(it, text);
		free(text);
	} else if (ret) {
		item_fail(it, out);
	} else {
		assert(n >= head);
		memcpy(&times, out, sizeof(times));
		for (uint32_t k = 0; k < l->asked.met.n; k++)
			l->asked.met.v[k] |= out[sizeof(times) + k] != 0;
		l->r->seconds_compile += times.compile;
		l->r->seconds_lower += times.lower;
		if (read_record(l, it, out + head, n - head) < 0)
			item_fail(it, NULL);
		else if (l->cache && it->unit.path)
			cache_note(l->cache, n);
	}
	progress_step(++l->finished, it->file);
}

/* Takes the unit from the cache.  False if it must be made. */
static bool take_cached(struct load *l, struct item *it)
{
	struct args files = {0};
	struct cache_hit hit;
	char key[CACHE_KEY_SIZE];
	bool ok;

	cache_key(l->cache, &it->unit, key);
	/* plumb-ignore: there is nothing to release if it was not found */
	if (!cache_get(l->cache, key, &hit, l->asked.met.n ? &files : NULL))
		return false;
	meet_all(l, &files);
	args_release(&files);
	ok = read_record(l, it, hit.record.p, hit.record.n) == 0;
	if (!ok)
		cache_hit_remove(&hit);
	cache_hit_release(&hit);
	it->cached = ok;
	return ok;
}

/* Finds clang, and takes what the cache has. */
static void prepare_sources(struct load *l)
{
	for (uint32_t i = 0; i < l->items.n; i++) {
		struct item *it = &l->items.v[i];

		if (it->kind != ITEM_SOURCE)
			continue;
		if (!l->clang) {
			if (clang_find(&l->clang, l->o->clang) < 0) {
				item_fail(it, NULL);
				continue;
			}
			if (!l->o->no_cache)
				l->cache = cache_new(l->o->cache_dir, l->o->cache_limit, l->clang);
		}
		if (l->cache)
			take_cached(l, it);
	}
}

static void run_workers(struct load *l)
{
	struct proc_pool pool = { .workers = workers(l->o), .time_limit = TIME_LIMIT,
				  .memory_limit = memory_limit(l->o), .job = job, .done = done, .ctx = l };
	int ret;

	for (uint32_t i = 0; i < l->items.n; i++)
		if (l->items.v[i].kind != ITEM_DONE)
			vec_push(&l->todo, i);
	if (!l->todo.n)
		return;
	pool.njobs = l->todo.n;
	progress_start("compiling", pool.njobs);
	ret = proc_pool_run(&pool);
	progress_end();
	for (uint32_t i = 0; ret < 0 && i < l->items.n; i++)
		if (l->items.v[i].kind != ITEM_DONE)
			item_fail(&l->items.v[i], NULL);
}

/* Moves a unit's module, and the way it was made, from the item to the result. */
static void add_part(struct front_result *r, struct item *it)
{
	struct front_part p = { .module = it->module, .scope = it->scope, .unit = it->unit };

	assert(it->module);
	if (!p.unit.path)	/* a record of an object or program */
		unit_from_flags(&p.unit, it->module);
	vec_push(&r->parts, p);
	it->module = NULL;
	memset(&it->unit, 0, sizeof(it->unit));
}

/* Completes the parts whose records do not say how they were compiled, as far as the database does. */
static void ask_database(struct front_result *r, const struct front_options *o)
{
	struct compdb db = {0};
	char *path = NULL;

	if (!o->compdb || compdb_find(&path, o->compdb) < 0 || compdb_read(&db, path) < 0)
		goto done;
	for (uint32_t i = 0; i < r->parts.n; i++) {
		struct front_part *p = &r->parts.v[i];
		const struct ir_unit *iu = p->module->units.n ? &p->module->units.v[0] : NULL;
		char *normal = iu ? path_from(iu->dir, iu->path) : NULL;
		const struct unit *u = iu && !p->unit.path ? compdb_unit(&db, normal) : NULL;

		if (u)
			unit_copy(&p->unit, u);
		free(normal);
	}
done:
	compdb_release(&db);
	free(path);
}

/* A unit's place among those that are linked. */
struct place {
	uint32_t scope;		/* the program comes before its libraries */
	char *path;		/* absolute where that is known */
	const char *flags;	/* of a source that is compiled twice: the same wherever the project lies */
	uint64_t hash;		/* of its record, if flags are not known: not the same in another place */
	uint32_t item;
};

static int by_path(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int diff = strcmp(x->path, y->path);

	if (x->scope != y->scope)
		return x->scope < y->scope ? -1 : 1;
	if (!diff)
		diff = strcmp(x->flags, y->flags);
	if (diff)
		return diff;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

/* The items in the order in which they are linked; the caller's, for free(). */
static uint32_t *link_order(const struct items *items)
{
	struct place *places = xcalloc(MAX(items->n, 1), sizeof(*places));
	uint32_t *order = xcalloc(MAX(items->n, 1), sizeof(*order));

	for (uint32_t i = 0; i < items->n; i++) {
		const struct ir_module *m = items->v[i].module;
		const struct ir_unit *u = m && m->units.n ? &m->units.v[0] : NULL;

		places[i] = (struct place){ .scope = items->v[i].scope, .flags = "", .item = i };
		if (u) {
			places[i].path = path_from(u->dir, u->path);
			places[i].flags = u->flags;
			places[i].hash = u->hash;
		} else {
			places[i].path = xstrdup(items->v[i].file);
		}
	}
	qsort(places, items->n, sizeof(*places), by_path);
	for (uint32_t i = 0; i < items->n; i++) {
		order[i] = places[i].item;
		free(places[i].path);
	}
	free(places);
	return order;
}

/* Moves the names of one sorted list to another. */
static void add_exports(struct ir_exports *to, struct ir_exports *from)
{
	struct ir_exports both = {0};
	uint32_t a = 0, b = 0;

	while (a < to->names.n || b < from->names.n) {
		bool first = b == from->names.n;

		if (a < to->names.n && b < from->names.n)
			first = strcmp(to->names.v[a], from->names.v[b]) <= 0;
		vec_push(&both.names, first ? to->names.v[a++] : from->names.v[b++]);
	}
	vec_release(&to->names);
	vec_release(&from->names);
	to->names.v = both.names.v;
	to->names.n = both.names.n;
	to->names.cap = both.names.cap;
}

/* Lists what each scope exports; nothing if there is only one.  Sources, objects and archives belong to the
 * program, and all of their names are exported. */
static void find_scopes(struct load *l)
{
	struct front_result *r = l->r;
	bool used = false, plain = false;

	for (uint32_t i = 0; i < l->items.n; i++) {
		assert(l->items.v[i].scope <= l->needed.scopes);
		used |= l->items.v[i].module && l->items.v[i].scope;
		plain |= !l->items.v[i].is_program && !l->items.v[i].scope;
	}
	if (!used)
		return;
	vec_add(&r->exports, l->needed.scopes + 1);
	r->exports.v[0].all = plain;
	for (uint32_t i = 0; i < l->needed.v.n; i++)
		if (l->needed.v.v[i].path && l->needed.v.v[i].has_ir)
			add_exports(&r->exports.v[l->needed.v.v[i].scope], &l->needed.v.v[i].exports);
}

/* Why a library of the program's is not analysed, and what helps; the caller's. */
static char *why_left_out(const struct needed_object *o)
{
	assert(!o->has_ir);
	if (o->path && o->hint)
		return xasprintf("the loader takes the system's; %s has a section .plumb: "
				 "set LD_LIBRARY_PATH, or name it", o->hint);
	if (o->path)
		return xstrdup("no section .plumb; build it with CC=\"plumb cc\"");
	if (o->hint)
		return xasprintf("not found, but there is %s: set LD_LIBRARY_PATH, or name it", o->hint);
	return xstrdup("not found: set LD_LIBRARY_PATH, or name it");
}

/* Lists the program's own libraries that have no IR. */
static void list_libraries(struct load *l)
{
	for (uint32_t i = 0; i < l->needed.v.n; i++) {
		struct needed_object *o = &l->needed.v.v[i];
		struct front_library f = { .exports = { .all = !o->path } };

		if (o->has_ir || !o->own || o->loader == IR_NONE)
			continue;
		f.name = xstrdup(o->path ? o->path : o->name);
		f.why = why_left_out(o);
		add_exports(&f.exports, &o->exports);
		vec_push(&l->r->libraries, f);
	}
}

/* Lists the functions of programs and libraries that have IR, as far as that is known: some may have none. */
static void list_parts(struct load *l)
{
	for (uint32_t i = 0; i < l->needed.v.n; i++) {
		struct needed_object *o = &l->needed.v.v[i];
		struct front_library f = { .part = true };

		if (!o->functions.names.n)
			continue;
		assert(o->path && o->has_ir);
		f.name = xstrdup(o->path);
		add_exports(&f.exports, &o->functions);
		vec_push(&l->r->libraries, f);
	}
}

/* Bitcode as clang -flto makes it is analysed, but a report without places helps nobody. */
static void warn_of_no_places(const struct item *it)
{
	bool has_code = false;

	for (uint32_t i = 0; i < it->module->funcs.n; i++)
		has_code |= !ir_is_decl(&it->module->funcs.v[i]);
	if (it->n && has_code && !it->module->files.n)
		diag_warn("%s: bitcode without debug information: places and names are not known; "
			  "compile it with -g and -O0, or the sources with CC=\"plumb cc\"", it->file);
}

/* Links the units that were made, and lists the others. */
static int finish(struct load *l)
{
	VEC(struct ir_module *) modules = {0};
	VEC(uint32_t) of = {0};
	struct front_result *r = l->r;
	uint32_t *order = link_order(&l->items);
	struct ir_scopes scopes;
	double start = clock_cpu();
	int ret = 0;

	find_scopes(l);
	list_libraries(l);
	list_parts(l);
	for (uint32_t i = 0; i < l->items.n; i++) {
		struct item *it = &l->items.v[order[i]];

		assert(it->kind == ITEM_DONE && !it->module == !!it->error);
		if (it->module) {
			vec_push(&modules, it->module);
			vec_push(&of, it->scope);
			r->analysed++;
			warn_of_no_places(it);
			r->cached += it->cached;
			if (l->o->keep_parts)
				add_part(r, it);
		} else {
			struct front_failure f = { it->file, it->error };

			vec_push(&r->failed, f);
			it->file = it->error = NULL;
		}
	}
	if (r->parts.n)
		ask_database(r, l->o);
	scopes = (struct ir_scopes){ of.v, r->exports.v, r->exports.n };
	progress_stage("linking");
	if (modules.n)
		ret = ir_link_over(&r->program, modules.v, NULL, modules.n, scopes.n ? &scopes : NULL,
				   &r->duplicate_symbols);
	progress_end();
	vec_release(&modules);
	free(order);
	vec_release(&of);
	r->seconds_link = clock_cpu() - start;
	return ret;
}

/* Moves the files that the user asked about to the result.  Negative: one of them is not in the program. */
static int find_asked(struct load *l)
{
	int ret = 0;

	if (l->r->program) {
		asked_meet_program(&l->asked, l->r->program);
		ret = asked_check(&l->asked, l->r->failed.n > 0);
	}
	l->r->named = l->asked.files;
	memset(&l->asked.files, 0, sizeof(l->asked.files));
	return ret;
}

static void result_check(const struct front_result *r)
{
	assert(!r->program == !r->analysed);
	assert(r->cached <= r->analysed);
	assert(!r->parts.n || r->parts.n == r->analysed);
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < r->parts.n; i++) {
		const struct front_part *p = &r->parts.v[i];

		assert(p->module && p->scope < MAX(r->exports.n, 1));
		if (p->unit.path)
			unit_check(&p->unit);
	}
	for (uint32_t i = 0; i < r->failed.n; i++)
		assert(r->failed.v[i].file && r->failed.v[i].error);
	for (uint32_t i = 0; i < r->libraries.n; i++)
		assert(r->libraries.v[i].name && !r->libraries.v[i].why == r->libraries.v[i].part);
	for (uint32_t i = 0; i < r->exports.n; i++)
		for (uint32_t k = 1; k < r->exports.v[i].names.n; k++)
			assert(strcmp(r->exports.v[i].names.v[k - 1], r->exports.v[i].names.v[k]) <= 0);
#endif
}

int front_load(struct front_result *r, const struct front_options *o)
{
	struct load l = { .o = o, .r = r };
	int ret;

	memset(r, 0, sizeof(*r));
	if ((ret = items_collect(&l.items, &r->not_c, &l.asked, &l.needed, o)) < 0)
		goto done;
	prepare_sources(&l);
	items_check(&l.items);
	run_workers(&l);
	items_check(&l.items);
	if ((ret = finish(&l)) < 0 || (ret = find_asked(&l)) < 0)
		goto done;
	result_check(r);
	diag_verbose("%u units analysed, %u of them from the cache, %u failed; "
		     "clang %.2f s, lowering %.2f s, linking %.2f s", r->analysed, r->cached, r->failed.n,
		     r->seconds_compile, r->seconds_lower, r->seconds_link);
done:
	if (ret < 0)
		front_result_release(r);
	asked_release(&l.asked);
	needed_release(&l.needed);
	items_release(&l.items);
	vec_release(&l.todo);
	cache_free(l.cache);
	free(l.clang);
	return ret;
}

struct lean_jobs {
	struct front_lean *v;
	const char *clang;
};

static int lean_job(void *ctx, unsigned i, struct sbuf *out)
{
	const struct lean_jobs *l = ctx;

	if (lean_record(out, l->v[i].unit, l->v[i].words, l->clang) == 0)
		return 0;
	sbuf_clear(out);
	sbuf_adds(out, error_last());
	return 1;
}

static void lean_done(void *ctx, unsigned i, int status, int ret, const char *out, size_t n)
{
	const struct lean_jobs *l = ctx;

	if (!status && !ret)
		l->v[i].lean = lean_new(l->v[i].unit, out, n);
	else
		diag_verbose("%s: its headers are taken whole: %s", l->v[i].unit->file,
			     status ? "a worker died" : out);
}

void front_lean(struct front_lean *v, unsigned n, const struct front_options *o)
{
	struct lean_jobs l = { .v = v };
	struct proc_pool pool = { .workers = workers(o), .njobs = n, .time_limit = TIME_LIMIT,
				  .memory_limit = memory_limit(o), .job = lean_job, .done = lean_done,
				  .ctx = &l };
	char *clang;

	if (!n || clang_find(&clang, o->clang) < 0)
		return;
	l.clang = clang;
	proc_pool_run(&pool);	/* units that it does not finish are compiled whole */
	free(clang);
}

int front_again(struct front_again *v, unsigned n, const struct front_options *o)
{
	struct front_result r = {0};
	struct load l = { .o = o, .r = &r };
	int ret;

	if ((ret = clang_find(&l.clang, o->clang)) < 0)
		return ret;
	for (unsigned i = 0; i < n; i++) {
		struct item *it = vec_add(&l.items, 1);

		if (v[i].lean && !lean_fits(v[i].lean, v[i].unit.texts, v[i].unit.ntexts))
			v[i].lean = NULL;
		it->kind = ITEM_SOURCE;
		it->file = xstrdup(v[i].unit.file);
		it->unit = v[i].lean ? v[i].lean->unit : v[i].unit;
		if (v[i].lean) {
			it->unit.texts = lean_texts(v[i].lean, v[i].unit.texts, v[i].unit.ntexts);
			it->unit.ntexts = LEAN_TEXTS;
		}
	}
	run_workers(&l);
	for (unsigned i = 0; i < n; i++) {
		struct item *it = &l.items.v[i];

		assert(it->kind == ITEM_DONE && !it->module == !!it->error);
		v[i].module = it->module;
		v[i].error = it->error;
		it->module = NULL;
		it->error = NULL;
		if (v[i].lean)
			lean_texts_free((struct unit_text *)it->unit.texts);
		memset(&it->unit, 0, sizeof(it->unit));
	}
	items_release(&l.items);
	vec_release(&l.todo);
	free(l.clang);
	return 0;
}

static void release_exports(struct ir_exports *e)
{
	for (uint32_t i = 0; i < e->names.n; i++)
		free(e->names.v[i]);
	vec_release(&e->names);
}

void front_library_release(struct front_library *l)
{
	free(l->name);
	free(l->why);
	release_exports(&l->exports);
}

void front_result_release(struct front_result *r)
{
	ir_module_free(r->program);
	for (uint32_t i = 0; i < r->failed.n; i++) {
		free(r->failed.v[i].file);
		free(r->failed.v[i].error);
	}
	vec_release(&r->failed);
	args_release(&r->not_c);
	for (uint32_t i = 0; i < r->parts.n; i++) {
		ir_module_free(r->parts.v[i].module);
		unit_release(&r->parts.v[i].unit);
	}
	vec_release(&r->parts);
	fileset_release(&r->named);
	for (uint32_t i = 0; i < r->exports.n; i++)
		release_exports(&r->exports.v[i]);
	vec_release(&r->exports);
	for (uint32_t i = 0; i < r->libraries.n; i++)
		front_library_release(&r->libraries.v[i]);
	vec_release(&r->libraries);
	memset(r, 0, sizeof(*r));
}
