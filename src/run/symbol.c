/*
 * symbol.c - addresses of many modules, resolved in worker processes.
 *
 * Programs and their debug files are input like any other: they may be damaged,
 * and a watched program could have been made to harm whoever looks at it.  The
 * library that reads debug information (elfutils, in modsym.c) is large and has
 * crashed on such files before.  So each module is a job of a worker process
 * (proc_pool_run), several at the same time: after a crash, an endless loop or an
 * abort only that module has no lines.  Such a module is tried a second time for its
 * symbol table alone, which is the simplest part to read, and given up after that.
 *
 * A worker sends a record for each address, in the order of the questions:
 *
 *	u32 number of frames
 *	for each: u32 line, u32 length of the function's name, u32 length of the
 *	file's name, then both
 *
 * The parent checks all of it: a damaged file may have changed the worker's memory.
 *
 * Which way it errs: an address without debug information gets the name of the
 * symbol whose extent covers it and no other, so that a static function of a
 * stripped library has no name rather than its neighbour's.
 */
#include "run/symbol.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "base/vec.h"
#include "run/modsym.h"

#include <assert.h>

enum {
	TIME_LIMIT = 120,	/* seconds for a module */
	MAX_FRAMES = 256,	/* functions inlined into each other */
};

struct module {
	const char *path;
	const void *id;
	size_t nid;
	enum symbol_source source;
	VEC(uint32_t) todo;		/* addresses not yet resolved */
};

struct address {
	uint32_t module;
	enum symbol_address kind;
	uint64_t offset;
	struct symbol_frames frames;	/* n == 0: not resolved */
};

struct module_key {
	const char *path;
	const void *id;
	size_t nid;
};

static uint64_t module_hash(struct module_key k)
{
	return hash_bytes(k.id, k.nid, hash_str(k.path));
}

static bool module_eq(struct module_key a, struct module_key b)
{
	return a.nid == b.nid && memcmp(a.id, b.id, a.nid) == 0 && str_eq(a.path, b.path);
}

#define MAP_NAME modulemap
#define MAP_KEY struct module_key
#define MAP_VAL uint32_t
#define MAP_HASH(k) module_hash(k)
#define MAP_EQ(a, b) module_eq(a, b)
#include "base/map.h"

struct address_key {
	uint64_t offset;
	uint32_t module;
	enum symbol_address kind;
};

#define MAP_NAME addressmap
#define MAP_KEY struct address_key
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join((uint64_t)(k).module << 1 | (k).kind, (k).offset)
#define MAP_EQ(a, b) ((a).offset == (b).offset && (a).module == (b).module && (a).kind == (b).kind)
#include "base/map.h"

#define MAP_NAME stringset
#define MAP_KEY const char *
#define MAP_VAL const char *
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct symbols {
	struct arena arena;
	VEC(struct module) modules;
	VEC(struct address) addresses;
	struct modulemap by_module;
	struct addressmap by_address;
	struct stringset strings;
	VEC(const char *) debug_dirs;
};

struct symbols *symbols_new(void)
{
	struct symbols *s = xcalloc(1, sizeof(*s));

	arena_init(&s->arena);
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->modules.n; i++)
		vec_release(&s->modules.v[i].todo);
	vec_release(&s->modules);
	vec_release(&s->addresses);
	vec_release(&s->debug_dirs);
	modulemap_release(&s->by_module);
	addressmap_release(&s->by_address);
	stringset_release(&s->strings);
	arena_release(&s->arena);
	free(s);
}

void symbols_add_debug_dir(struct symbols *s, const char *dir)
{
	vec_push(&s->debug_dirs, arena_strdup(&s->arena, dir));
}

uint32_t symbols_module(struct symbols *s, const char *path, const void *id, size_t nid)
{
	struct module_key k = { path, nid ? id : "", nid };
	uint32_t *at = modulemap_get(&s->by_module, k);
	struct module *m;

	assert(path && (id || !nid));
	if (at)
		return *at;
	k.path = arena_strdup(&s->arena, path);
	k.id = arena_copy(&s->arena, k.id, nid);
	modulemap_set(&s->by_module, k, s->modules.n);
	m = vec_add(&s->modules, 1);
	m->path = k.path;
	m->id = k.id;
	m->nid = nid;
	return s->modules.n - 1;
}

uint32_t symbols_want(struct symbols *s, uint32_t module, uint64_t offset, enum symbol_address kind)
{
	struct address_key k = { offset, module, kind };
	struct address *a;
	uint32_t *at;
	bool is_new;

	assert(module < s->modules.n);
	at = addressmap_put(&s->by_address, k, &is_new);
	if (!is_new)
		return *at;
	*at = s->addresses.n;
	/* plumb-ignore: symbols_free() goes through all modules */
	vec_push(&s->modules.v[module].todo, *at);
	a = vec_add(&s->addresses, 1);
	a->module = module;
	a->offset = offset;
	a->kind = kind;
	return s->addresses.n - 1;
}

/* ---- in the worker ---- */

struct resolve {
	struct symbols *s;
	VEC(uint32_t) modules;		/* one is one job */
	VEC(uint32_t) crashed;		/* those whose worker died */
	const char *debug_path;
	bool names_only;
};

struct answer {
	struct sbuf *out;
	size_t at;			/* of the count in out */
	uint32_t n;
};

static void put_u32(struct sbuf *b, uint32_t x)
{
	sbuf_add(b, &x, sizeof(x));
}

static void put_frame(void *ctx, const struct symbol_frame *f)
{
	struct answer *a = ctx;
	size_t nfunction = strlen(f->function), nfile = strlen(f->file);

	assert(a->at + sizeof(uint32_t) <= a->out->n);
	if (a->n == MAX_FRAMES)
		return;
	a->n++;
	put_u32(a->out, f->line);
	put_u32(a->out, (uint32_t)nfunction);
	put_u32(a->out, (uint32_t)nfile);
	sbuf_add(a->out, f->function, nfunction);
	sbuf_add(a->out, f->file, nfile);
}

/* One module.  Its state first, then a record for each address. */
static int resolve_job(void *ctx, unsigned job, struct sbuf *out)
{
	const struct resolve *r = ctx;
	const struct module *mod = &r->s->modules.v[r->modules.v[job]];
	struct modsym_input in = {
		.path = mod->path, .id = mod->id, .nid = mod->nid, .debug_path = r->debug_path,
		.debug_dirs = r->s->debug_dirs.v, .names_only = r->names_only,
	};
	enum symbol_source source;
	struct modsym *m = modsym_open(&in, &source);

	put_u32(out, source);
	for (uint32_t i = 0; m && i < mod->todo.n; i++) {
		const struct address *a = &r->s->addresses.v[mod->todo.v[i]];
		struct answer answer = { .out = out, .at = out->n };

		put_u32(out, 0);
		modsym_find(m, a->offset - (a->kind == SYMBOL_RETURN), put_frame, &answer);
		assert(answer.n > 0);
		memcpy(out->s + answer.at, &answer.n, sizeof(answer.n));
	}
	modsym_close(m);
	return 0;
}

/* ---- in the parent ---- */

struct reader {
	const char *p;
	size_t n;
};

static bool get_u32(struct reader *in, uint32_t *x)
{
	if (in->n < sizeof(*x))
		return false;
	memcpy(x, in->p, sizeof(*x));
	in->p += sizeof(*x);
	in->n -= sizeof(*x);
	return true;
}

/* A string of n bytes, stored once. */
static bool get_string(struct symbols *s, struct reader *in, size_t n, const char **out)
{
	const char *text, **stored;
	bool is_new;

	if (in->n < n)
		return false;
	text = arena_strndup(&s->arena, in->p, n);
	in->p += n;
	in->n -= n;
	stored = stringset_put(&s->strings, text, &is_new);
	if (is_new)
		*stored = text;
	*out = *stored;
	return true;
}

static bool get_frames(struct symbols *s, struct reader *in, struct symbol_frames *out)
{
	struct symbol_frame *v;
	uint32_t n, line, nfunction, nfile;

	if (!get_u32(in, &n) || n == 0 || n > MAX_FRAMES)
		return false;
	v = arena_array(&s->arena, struct symbol_frame, n);
	for (uint32_t i = 0; i < n; i++) {
		if (!get_u32(in, &line) || !get_u32(in, &nfunction) ||
		    !get_u32(in, &nfile) || !get_string(s, in, nfunction, &v[i].function) ||
		    !get_string(s, in, nfile, &v[i].file))
			return false;
		v[i].line = line;
		v[i].inlined = i + 1 < n;
	}
	out->v = v;
	out->n = n;
	return true;
}

static void resolve_done(void *ctx, unsigned job, int status, int ret, const char *out, size_t n)
{
	struct resolve *r = ctx;
	struct module *m = &r->s->modules.v[r->modules.v[job]];
	struct reader in = { out, n };
	uint32_t source;

	if (status != 0 || ret != 0 || !get_u32(&in, &source) || source > SYMBOL_DAMAGED) {
		diag_verbose("%s: reading its debug information: %s", m->path, proc_status_text(status));
		vec_push(&r->crashed, r->modules.v[job]);
		return;
	}
	m->source = r->names_only ? SYMBOL_DAMAGED : source;
	for (uint32_t i = 0; i < m->todo.n; i++)
		if (!get_frames(r->s, &in, &r->s->addresses.v[m->todo.v[i]].frames))
			break;
}

static void run_jobs(struct resolve *r)
{
	struct proc_pool pool = {
		.workers = proc_cpus(), .njobs = r->modules.n, .time_limit = TIME_LIMIT,
		.job = resolve_job, .done = resolve_done, .ctx = r,
	};

	if (r->modules.n && proc_pool_run(&pool) < 0)
		diag_warn("addresses stay without names: %s", error_last());
}

/* An address that could not be resolved is one frame without a name. */
static void finish(struct symbols *s, struct module *m)
{
	static const struct symbol_frame unknown = { .function = "", .file = "" };

	for (uint32_t i = 0; i < m->todo.n; i++) {
		struct address *a = &s->addresses.v[m->todo.v[i]];

		if (!a->frames.n)
			a->frames = (struct symbol_frames){ &unknown, 1 };
	}
	if (m->todo.n && m->source == SYMBOL_UNASKED)
		m->source = SYMBOL_DAMAGED;
	vec_clear(&m->todo);
}

/* The invariants after all was resolved. */
static __attribute__((unused)) void symbols_check(const struct symbols *s)
{
	assert(s->by_module.n == s->modules.n && s->by_address.n == s->addresses.n);
	for (uint32_t i = 0; i < s->modules.n; i++)
		assert(s->modules.v[i].todo.n == 0 && s->modules.v[i].source <= SYMBOL_DAMAGED);
	for (uint32_t i = 0; i < s->addresses.n; i++) {
		const struct address *a = &s->addresses.v[i];

		assert(a->module < s->modules.n && s->modules.v[a->module].source != SYMBOL_UNASKED);
		assert(a->frames.n > 0 && a->frames.v[a->frames.n - 1].function && a->frames.v[0].file);
	}
}

void symbols_resolve(struct symbols *s)
{
	struct sbuf path = {0};
	struct resolve r = { .s = s };

	/* elfutils: the module's folder, .debug below it, then these */
	sbuf_adds(&path, ":.debug");
	for (uint32_t i = 0; i < s->debug_dirs.n; i++)
		sbuf_printf(&path, ":%s", s->debug_dirs.v[i]);
	sbuf_adds(&path, ":/usr/lib/debug");
	r.debug_path = sbuf_str(&path);
	vec_push(&s->debug_dirs, NULL);

	for (uint32_t i = 0; i < s->modules.n; i++)
		if (s->modules.v[i].todo.n)
			vec_push(&r.modules, i);
	run_jobs(&r);
	vec_clear(&r.modules);
	for (uint32_t i = 0; i < r.crashed.n; i++)
		vec_push(&r.modules, r.crashed.v[i]);
	r.names_only = true;
	run_jobs(&r);

	assert(vec_last(&s->debug_dirs) == NULL);
	(void)vec_pop(&s->debug_dirs);
	for (uint32_t i = 0; i < s->modules.n; i++)
		finish(s, &s->modules.v[i]);
#ifdef PLUMB_DEBUG
	symbols_check(s);
#endif
	vec_release(&r.modules);
	vec_release(&r.crashed);
	sbuf_release(&path);
}

struct symbol_frames symbols_frames(const struct symbols *s, uint32_t address)
{
	assert(address < s->addresses.n && s->addresses.v[address].frames.n > 0);
	return s->addresses.v[address].frames;
}

enum symbol_source symbols_source(const struct symbols *s, uint32_t module)
{
	assert(module < s->modules.n);
	return s->modules.v[module].source;
}
