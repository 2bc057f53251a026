/*
 * needed.c - the shared libraries that programs are run with, found as the dynamic linker would.
 *
 * Nothing is executed for that, neither the program nor the dynamic linker nor ldd, which does both: a
 * program that is analysed need not be trusted.  The rules of ld.so(8) are followed here, in their order:
 *
 *	a name with a slash is a path
 *	DT_RPATH of the object that needs it and of that one's loaders, unless the object has a DT_RUNPATH
 *	LD_LIBRARY_PATH
 *	DT_RUNPATH of the object that needs it
 *	/etc/ld.so.cache
 *	the default folders
 *
 * with $ORIGIN, $LIB and $PLATFORM in the paths.  A file of another machine is passed over, as there.
 * Left out: folders for capabilities of the processor (glibc-hwcaps), LD_PRELOAD, what dlopen() loads.
 *
 * A library in one of the system's folders is the system's; every other one (what RPATH, RUNPATH or
 * LD_LIBRARY_PATH lead to, and what is not found) is the program's own.
 */
#include "front/needed.h"

#include "front/elf.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sbuf.h"

#include <assert.h>
#include <elf.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MAX_OBJECTS = 2000 };

/* What a library must be for its loader. */
struct kind {
	bool is64;
	unsigned machine;
};

struct search {
	const struct needed *n;
	const struct needed_object *by;
	const char *name;
	struct kind kind;
	char *found;
	bool by_path;		/* through RPATH, RUNPATH, LD_LIBRARY_PATH */
};

static const struct machine {
	unsigned machine;
	bool is64;
	const char *platform, *folder;
} machines[] = {
	{ EM_X86_64, true, "x86_64", "x86_64-linux-gnu" },
	{ EM_386, false, "i686", "i386-linux-gnu" },
	{ EM_AARCH64, true, "aarch64", "aarch64-linux-gnu" },
};

static const struct machine *machine_of(const struct kind *k)
{
	for (size_t i = 0; i < ARRAY_LEN(machines); i++)
		if (machines[i].machine == k->machine && machines[i].is64 == k->is64)
			return &machines[i];
	return NULL;
}

/* What is loaded stands behind what needs it; what was not found has nothing; each library has a scope. */
static void needed_check(const struct needed *n)
{
#ifdef PLUMB_DEBUG
	uint32_t libraries = 0;

	for (uint32_t i = 0; i < n->v.n; i++) {
		const struct needed_object *o = &n->v.v[i];

		assert(o->name);
		assert(o->loader == IR_NONE ? o->path != NULL : o->loader < i && n->v.v[o->loader].path);
		assert(o->path || !(o->has_ir || o->rpath || o->runpath || o->exports.names.n));
		assert(o->path || (o->own && !o->scope));
		assert(o->has_ir || !o->functions.names.n);
		assert(!o->scope || o->scope == libraries + 1);
		libraries += o->scope != 0;
		for (uint32_t k = 1; k < o->exports.names.n; k++)
			assert(strcmp(o->exports.names.v[k - 1], o->exports.names.v[k]) <= 0);
	}
	assert(libraries == n->scopes);
#endif
	assert(!n->todo.n || vec_last(&n->todo).loader < n->v.n);
}

/* ---- one file ---- */

static int open_object(struct filemap *m, struct elf_program *e, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || filemap_open(m, path) < 0)
		return -1;
	if (elf_program(e, m->p, m->n) == 0 && e->runs)
		return 0;
	filemap_close(m);
	return -1;
}

/* Takes the path if a library for the loader's machine is there.  Frees it. */
static bool try_path(struct search *s, char *path)
{
	struct elf_program e;
	struct filemap m;

	if (!s->found && open_object(&m, &e, path) == 0) {
		if (e.is64 == s->kind.is64 && e.machine == s->kind.machine)
			s->found = xstrdup(path);
		filemap_close(&m);
	}
	free(path);
	return s->found != NULL;
}

/* ---- search paths ---- */

/* The folder that $ORIGIN is for an object. */
static char *origin_of(const struct needed_object *o)
{
	char *real = o->path ? realpath(o->path, NULL) : NULL;
	char *dir = path_dir(real ? real : ".");

	free(real);
	return dir;
}

/* The value of the variable at s ($ORIGIN, ${LIB}, ...), and in *n the length of its name; NULL: there is
 * none. */
static const char *token_at(const char *s, const char *const values[3], size_t *n)
{
	static const char *const names[] = { "ORIGIN", "LIB", "PLATFORM" };

	assert(*s == '$');
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		size_t len = strlen(names[i]);
		bool braces = s[1] == '{';

		if (strncmp(s + 1 + braces, names[i], len) != 0 || (braces && s[2 + len] != '}'))
			continue;
		*n = len + 1 + 2 * braces;
		return values[i];
	}
	return NULL;
}

static char *expand(const char *s, size_t n, const char *const values[3])
{
	struct sbuf b = {0};
	const char *end = s + n, *v;

	while (s < end) {
		size_t len = 0;

		v = *s == '$' ? token_at(s, values, &len) : NULL;
		if (v)
			sbuf_adds(&b, v);
		else
			sbuf_addc(&b, *s);
		s += v ? len : 1;
	}
	return sbuf_detach(&b);
}

/* Looks in one folder of a search path, for each value that $LIB may have. */
static void try_folder(struct search *s, const char *dir, size_t n, const char *origin)
{
	const struct machine *m = machine_of(&s->kind);
	char *multi = xasprintf("lib/%s", m ? m->folder : "");
	const char *const libs[] = { multi, s->kind.is64 ? "lib64" : "lib32", "lib" };

	for (size_t i = 0; i < ARRAY_LEN(libs) && !s->found; i++) {
		const char *const values[] = { origin, libs[i], m ? m->platform : "" };
		char *folder = expand(dir, n, values);

		try_path(s, path_join(*folder ? folder : ".", s->name));
		free(folder);
		if (!memmem(dir, n, "LIB", 3))
			break;
	}
	free(multi);
}

/* Looks in a search path of an object: folders separated by colons (semicolons in the environment, too). */
static void try_list(struct search *s, const char *list, const char *between, const struct needed_object *of)
{
	char *origin;

	if (!list || s->found)
		return;
	origin = origin_of(of);
	for (;;) {
		size_t n = strcspn(list, between);

		try_folder(s, list, n, origin);
		if (s->found || !list[n])
			break;
		list += n + 1;
	}
	s->by_path = s->found != NULL;
	free(origin);
}

static void try_rpaths(struct search *s)
{
	const struct needed_object *o = s->by;

	/* Each step goes towards the front of the list: see needed_check(). */
	while (!s->by->runpath && !s->found) {
		if (!o->runpath)
			try_list(s, o->rpath, ":", o);
		if (o->loader == IR_NONE)
			break;
		assert(&s->n->v.v[o->loader] < o);
		o = &s->n->v.v[o->loader];
	}
}

/* ---- the system's ---- */

/*
 * The cache: a header of 48 bytes, entries of 24 (flags, offset of the name, offset of the path, and what the
 * system must be), strings.  All that it says is checked against its size.
 */
static void try_cache(struct search *s)
{
	static const char magic[] = "glibc-ld.so.cache1.1";
	enum { HEADER = 48, ENTRY = 24, COUNT_AT = 20 };
	struct filemap m;
	uint32_t count, name, path;

	if (s->found || !file_exists("/etc/ld.so.cache") || filemap_open(&m, "/etc/ld.so.cache") < 0)
		return;
	if (m.n < HEADER || memcmp(m.p, magic, sizeof(magic) - 1) != 0)
		goto done;
	memcpy(&count, m.p + COUNT_AT, sizeof(count));
	for (uint32_t i = 0; i < count && HEADER + (i + 1ull) * ENTRY <= m.n && !s->found; i++) {
		memcpy(&name, m.p + HEADER + (size_t)i * ENTRY + 4, sizeof(name));
		memcpy(&path, m.p + HEADER + (size_t)i * ENTRY + 8, sizeof(path));
		if (name >= m.n || path >= m.n || strnlen(m.p + path, m.n - path) == m.n - path ||
		    strncmp(m.p + name, s->name, m.n - name) != 0)
			continue;
		try_path(s, xstrdup(m.p + path));
	}
done:
	filemap_close(&m);
}

static const char *const system_folders[] = {
	"/lib", "/usr/lib", "/lib64", "/usr/lib64", "/lib32", "/usr/lib32",
};

static void try_defaults(struct search *s)
{
	const struct machine *m = machine_of(&s->kind);

	for (size_t i = 0; i < ARRAY_LEN(system_folders) && !s->found; i++) {
		if (m && i < 2) {
			char *dir = xasprintf("%s/%s", system_folders[i], m->folder);

			try_path(s, path_join(dir, s->name));
			free(dir);
		}
		try_path(s, path_join(system_folders[i], s->name));
	}
}

/* Does the file lie in a folder of the system's libraries?  deep: or below one. */
static bool is_of_system(const char *path, bool deep)
{
	char *real = realpath(path, NULL), *dir = path_dir(real ? real : path);
	bool found = false;

	for (size_t i = 0; i < ARRAY_LEN(system_folders) && !found; i++) {
		size_t n = strlen(system_folders[i]);

		if (strncmp(dir, system_folders[i], n) != 0)
			continue;
		found = !dir[n] || (deep && dir[n] == '/');
		for (size_t k = 0; k < ARRAY_LEN(machines) && dir[n] == '/'; k++)
			found |= str_eq(dir + n + 1, machines[k].folder);
	}
	free(dir);
	free(real);
	return found;
}

static bool has_ir(const char *path)
{
	struct elf_program e;
	struct filemap m;
	bool has;

	if (open_object(&m, &e, path) < 0)
		return false;
	has = elf_has_plumb(m.p, m.n);
	filemap_close(&m);
	return has;
}

/* A library of that name in or beside the program's folder, where builds leave libraries; the caller's.
 * with_ir: one without IR does not count. */
static char *look_around(const struct needed *n, const struct needed_object *by, const char *name,
			 bool with_ir)
{
	static const char *const around[] = { ".", ".libs", "lib", "../lib", "../.libs" };
	char *origin, *found = NULL;

	if (strchr(name, '/'))
		return NULL;
	while (by->loader != IR_NONE)
		by = &n->v.v[by->loader];
	origin = origin_of(by);
	for (size_t i = 0; i < ARRAY_LEN(around) && !found; i++) {
		char *dir = path_from(origin, around[i]), *path = path_join(dir, name);

		if (with_ir ? has_ir(path) : file_exists(path))
			found = xstrdup(path);
		free(path);
		free(dir);
	}
	free(origin);
	return found;
}

/* ---- the list ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void release_names(struct ir_exports *e)
{
	for (uint32_t k = 0; k < e->names.n; k++)
		free(e->names.v[k]);
	vec_release(&e->names);
}

static void sort_names(struct ir_exports *e)
{
	if (e->names.n)
		qsort(e->names.v, e->names.n, sizeof(*e->names.v), by_text);
}

static void add_name(void *ctx, const char *name)
{
	struct ir_exports *e = ctx;

	vec_push(&e->names, xstrdup(name));
}

struct wants {
	struct needed *n;
	uint32_t loader;
};

static void add_wanted(void *ctx, const char *name)
{
	const struct wants *w = ctx;

	vec_push(&w->n->todo, ((struct needed_name){ xstrdup(name), w->loader }));
}

static bool is_known(const struct needed *n, const char *name, const char *real)
{
	for (uint32_t i = 0; i < n->v.n; i++) {
		char *other = n->v.v[i].path ? realpath(n->v.v[i].path, NULL) : NULL;
		bool same = real ? other && str_eq(other, real) : str_eq(n->v.v[i].name, name);

		free(other);
		if (same)
			return true;
	}
	return false;
}

/* A new object in the list. */
static struct needed_object *add_object(struct needed *n, const char *name, uint32_t loader)
{
	struct needed_object *o = vec_add(&n->v, 1);

	assert(loader == IR_NONE || loader + 1 < n->v.n);
	o->name = xstrdup(name);
	o->loader = loader;
	o->own = true;
	return o;
}

/* Reads the last object, whose file exists: what it exports, and the names of what it needs, which go to
 * the list of what is to be found.  The system's libraries without IR need nothing of ours. */
static void read_object(struct needed *n, const void *file, size_t size)
{
	struct needed_object *o = &vec_last(&n->v);
	struct wants w = { n, n->v.n - 1 };
	uint32_t before = n->todo.n;
	struct elf_dynamic d;

	assert(o->path && !o->exports.names.n);
	o->has_ir = elf_has_plumb(file, size);
	if (o->own || o->has_ir) {
		elf_dynamic(&d, file, size, add_wanted, &w);
		o->rpath = d.rpath ? xstrdup(d.rpath) : NULL;
		o->runpath = d.runpath ? xstrdup(d.runpath) : NULL;
		elf_exports(file, size, add_name, &o->exports);
	}
	if (o->has_ir && n->todo.n > before)	/* what is linked statically has the C library in it */
		elf_functions(file, size, add_name, &o->functions);
	sort_names(&o->exports);
	sort_names(&o->functions);
}

uint32_t needed_add(struct needed *n, const char *path, const void *file, size_t size)
{
	struct needed_object *o;
	struct elf_program e;

	if (elf_program(&e, file, size) < 0 || !e.runs)
		return 0;
	o = add_object(n, path, IR_NONE);
	o->path = xstrdup(path);
	if (!e.dynamic && !e.fixed)
		o->scope = ++n->scopes;
	read_object(n, file, size);
	needed_check(n);
	return o->scope;
}

/* Searches for the library, in the order of the dynamic linker. */
static void find(struct search *s)
{
	if (strchr(s->name, '/')) {
		const struct machine *m = machine_of(&s->kind);
		const char *lib = s->kind.is64 ? "lib64" : "lib";
		const char *platform = m ? m->platform : "";
		char *origin = origin_of(s->by);
		const char *const values[] = { origin, lib, platform };

		try_path(s, expand(s->name, strlen(s->name), values));
		s->by_path = true;
		free(origin);
		return;
	}
	try_rpaths(s);
	try_list(s, getenv("LD_LIBRARY_PATH"), ":;", s->by);
	try_list(s, s->by->runpath, ":", s->by);
	try_cache(s);
	try_defaults(s);
}

/* Adds one library that somebody needs.  False if it is there already. */
static bool add_library(struct needed *n, const struct needed_name *name)
{
	struct search s = { .n = n, .by = &n->v.v[name->loader], .name = name->name };
	struct needed_object *o;
	struct elf_program e;
	struct filemap m;
	bool is_new;
	char *real;

	if (!s.by->path || open_object(&m, &e, s.by->path) < 0)
		return false;
	s.kind = (struct kind){ e.is64, e.machine };
	filemap_close(&m);
	find(&s);
	real = s.found ? realpath(s.found, NULL) : NULL;
	is_new = !is_known(n, name->name, real);
	free(real);
	if (!is_new || (s.found && open_object(&m, &e, s.found) < 0)) {
		free(s.found);
		return false;
	}
	o = add_object(n, name->name, name->loader);
	o->path = s.found;
	if (!s.found) {
		o->hint = look_around(n, &n->v.v[name->loader], s.name, false);
		return true;
	}
	o->scope = ++n->scopes;
	o->own = !is_of_system(o->path, !s.by_path);
	/* The system has one, and the program was built with its own, as libtool leaves it in .libs. */
	if (!o->own && !elf_has_plumb(m.p, m.n)) {
		o->hint = look_around(n, &n->v.v[name->loader], s.name, true);
		o->own = o->hint != NULL;
	}
	read_object(n, m.p, m.n);
	filemap_close(&m);
	return true;
}

uint32_t needed_next(struct needed *n)
{
	uint32_t found = IR_NONE;

	while (found == IR_NONE && n->todo.n && n->v.n < MAX_OBJECTS) {
		struct needed_name first = n->todo.v[0];

		memmove(n->todo.v, n->todo.v + 1, --n->todo.n * sizeof(first));
		if (add_library(n, &first))
			found = n->v.n - 1;
		free(first.name);
	}
	needed_check(n);
	return found;
}

void needed_release(struct needed *n)
{
	for (uint32_t i = 0; i < n->v.n; i++) {
		struct needed_object *o = &n->v.v[i];

		free(o->name);
		free(o->path);
		free(o->hint);
		free(o->rpath);
		free(o->runpath);
		release_names(&o->exports);
		release_names(&o->functions);
	}
	vec_release(&n->v);
	for (uint32_t i = 0; i < n->todo.n; i++)
		free(n->todo.v[i].name);
	vec_release(&n->todo);
}
