/*
 * compile.c - a C source to the IR: clang, then lowering.
 *
 * clang runs as a program of its own, at -O0 with debug information and without
 * any pass, so that every source variable is still in memory.  Bitcode comes
 * back through a pipe and everything else goes through memory files named
 * /proc/self/fd/N: there are no temporary files, so none stay behind, whatever
 * happens.  (A pipe is as fast as a file for the bitcode.)
 *
 * Some things make a command that is good for gcc fail in clang, and each is
 * mended by another try:
 *
 *  - a flag that clang does not know or does not accept: it is dropped and, since
 *    the next unit most likely has it too, remembered;
 *  - warnings that clang takes for errors and gcc does not: all are off;
 *  - gcc's malloc(deallocator) attribute: clang gets to see the files in question
 *    through an overlay, with the attribute's arguments blanked out.  Positions
 *    stay as they are.  The attribute is read separately, by attrs.c;
 *  - types that gcc knows and clang does not (_Float128), in a source that gcc has
 *    preprocessed: headers hide them from clang only when clang preprocesses.  The
 *    text is preprocessed once more, with macros for those types.
 *
 * What cannot be mended: nested functions and the few other extensions of gcc that
 * clang lacks.  Such a unit fails.
 */
#include "front/unit.h"

#include "front/attrs.h"
#include "front/flags.h"
#include "front/lower.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "config.h"
#include "ir/build.h"

#include <assert.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TRIES = 12 };

/* What this process has learnt from earlier units. */
static struct {
	struct args rejected;	/* flags that clang refused */
	struct args blanked;	/* headers that clang must see through an overlay */
} learnt;

/* One unit's compilation. */
struct job {
	const struct unit *u;
	const char *clang;
	struct unit_made *made;
	bool again;		/* preprocess a preprocessed source once more */
	bool types;		/* with macros for types that only gcc knows */
	struct args blanked;	/* files to be seen through the overlay; absolute */
	VEC(int) fds;		/* memory files of the overlay, the last one its table */
	struct proc_result result;
};

/* ---- memory files ---- */

static int memfile(const char *name)
{
	int fd = memfd_create(name, 0);		/* clang is to inherit it */

	return fd < 0 ? error_sys("cannot make a memory file") : fd;
}

static int memfile_with(const char *name, const void *p, size_t n)
{
	int fd = memfile(name);

	if (fd >= 0 && fd_write_all(fd, p, n) < 0) {
		error_sys("cannot write a memory file");
		close(fd);
		return -1;
	}
	return fd;
}

/* The whole text of a memory file; the caller's. */
static char *memfile_text(int fd)
{
	char path[64], *text;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return file_read(&text, NULL, path) < 0 ? xstrdup("") : text;
}

/* ---- clang's command line ---- */

/* An environment in which clang obeys its command line alone, and writes nothing else. */
static void clean_environment(void)
{
	static const char *const names[] = {
		"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CCC_OVERRIDE_OPTIONS", "CC_PRINT_OPTIONS",
		"CC_PRINT_HEADERS", "CC_LOG_DIAGNOSTICS", "CC_PRINT_PROC_STAT", "COMPILER_PATH",
		"LD_PRELOAD",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		unsetenv(names[i]);
}

static void push_flags(struct args *argv, const struct job *j)
{
	static const char *const fixed[] = {
		"--no-default-config", "-O0", "-w", "-Wno-everything", "-fno-caret-diagnostics",
		"-fno-color-diagnostics", "-fno-crash-diagnostics",
	};

	args_push(argv, j->clang);
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
		args_push(argv, fixed[i]);
	for (uint32_t i = 0; i < j->u->flags.n; i++) {
		const char *flag = j->u->flags.v[i];

		if (!(j->u->preprocessed && cmd_flag_is_macro(flag)) && !args_has(&learnt.rejected, flag))
			cmd_flag_for_clang(argv, flag);
	}
}

static void push_source(struct args *argv, const struct job *j)
{
	static const char *const types[] = {
		"-D_Float16=float", "-D_Float32=float", "-D_Float32x=double", "-D_Float64=double",
		"-D_Float64x=long double", "-D_Float128=long double", "-D__float128=long double",
	};
	const char *path = j->u->path;

	assert(!j->again || j->u->preprocessed);
	assert(!j->types || j->again);		/* else clang would not look at the macros */
	if (j->again)
		args_push(argv, "-undef");
	for (size_t i = 0; j->types && i < ARRAY_LEN(types); i++)
		args_push(argv, types[i]);
	args_push(argv, "-x");
	args_push(argv, j->u->preprocessed && !j->again ? "cpp-output" : "c");
	/* A name that would be read as something else. */
	if (path[0] == '-' || path[0] == '@')
		args_push_own(argv, xasprintf("./%s", path));
	else
		args_push(argv, path);
}

static double cpu_of_children(void)
{
	struct rusage r;

	getrusage(RUSAGE_CHILDREN, &r);
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
	       (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

static double cpu_of_self(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* clang passes the last part of the source's name to itself as a separate word, and would take @x.c for the
 * options that are in x.c. */
static bool is_response_file(const struct unit *u)
{
	const char *base = path_base(u->path);
	char *path = base[0] == '@' ? path_join(u->dir, base + 1) : NULL;
	bool yes = path && file_exists(path);

	free(path);
	return yes;
}

static int run(struct job *j, struct args *argv)
{
	double start = cpu_of_children();
	int ret;

	if (is_response_file(j->u))
		return error_set("its name begins with @, and a file is called as the rest of it: "
				 "clang would read options there");

	proc_result_release(&j->result);
	/* If PWD is the same folder clang takes its name from there: paths then lead over the same links as
	 * the unit's. */
	setenv("PWD", j->u->dir, 1);
	ret = proc_run(&j->result, argv->v, j->u->dir, PROC_OUT | PROC_ERR);
	j->made->times.compile += cpu_of_children() - start;
	return ret;
}

/* Runs the compilation once.  0 also if clang failed; deps is the memory file
 * that the list of files goes to. */
static int run_compile(struct job *j, int deps)
{
	static const char *const fixed[] = {
		"-g", "-c", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", "-", "-MD", "-MT", "x",
	};
	struct args argv = {0};
	int ret;

	assert(j->fds.n == 0 || j->fds.n >= 2);		/* files and their table */
	if (ftruncate(deps, 0) < 0)
		return error_sys("cannot empty a memory file");
	push_flags(&argv, j);
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
		args_push(&argv, fixed[i]);
	args_push(&argv, "-MF");
	args_push_own(&argv, xasprintf("/proc/self/fd/%d", deps));
	if (j->fds.n) {
		args_push(&argv, "-ivfsoverlay");
		args_push_own(&argv, xasprintf("/proc/self/fd/%d", vec_last(&j->fds)));
	}
	push_source(&argv, j);
	ret = run(j, &argv);
	args_release(&argv);
	return ret;
}

/* ---- the list of files ---- */

/* Does a quoting character stand here that make takes away: a backslash, or a dollar? */
static bool is_quoting(const char *p)
{
	if (*p == '$')
		return p[1] == '$';
	return *p == '\\' && (p[1] == ' ' || p[1] == '#' || p[1] == '\\');
}

/* Reads make's rule "x: a.c b\ c.h \<newline> ..." into absolute paths. */
static void read_deps(struct args *out, const char *text, const char *dir)
{
	const char *p = text + strcspn(text, ":");
	struct sbuf w = {0};

	for (p += *p == ':'; *p;) {
		sbuf_clear(&w);
		for (; *p && *p != ' ' && *p != '\n'; p++) {
			if (*p == '\\' && p[1] == '\n')
				break;
			if (is_quoting(p))
				p++;
			sbuf_addc(&w, *p);
		}
		if (w.n)
			args_push_own(out, path_from(dir, w.s));
		if (*p == '\\')
			p++;
		if (*p)
			p++;
	}
	sbuf_release(&w);
}

/* The files that the last run read.  Of a preprocessed source clang makes no
 * list. */
static void list_files(struct args *out, const struct unit *u, int deps)
{
	char *text;

	assert(deps >= 0);
	args_clear(out);
	if (u->preprocessed) {
		args_push_own(out, path_from(u->dir, u->path));
		return;
	}
	text = memfile_text(deps);
	read_deps(out, text, u->dir);
	free(text);
}

/* ---- clang's complaints ---- */

/* Calls f for each line of text with ctx until it gives true. */
static bool any_line(const char *text, bool (*f)(const char *line, size_t n, void *ctx), void *ctx)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		if (f(text, n, ctx))
			return true;
		text += n + (text[n] == '\n');
	}
	return false;
}

static bool error_line(const char *line, size_t n, void *ctx)
{
	static const char *const signs[] = {
		"error: ", "LLVM ERROR: ", "error while loading shared libraries: ",
	};
	char **out = ctx;

	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (memmem(line, n, signs[i], strlen(signs[i]))) {
			*out = xstrndup(line, n);
			return true;
		}
	return false;
}

/* The failure of the last run as one line. */
static int set_error(const struct job *j)
{
	const char *name = path_base(j->clang);
	char *line = NULL;

	if (j->result.stuck)
		error_set("it includes a pipe that nobody writes to");
	else if (any_line(j->result.err, error_line, &line))
		error_set("%s", line);
	else
		error_set("%s %s", name, proc_status_text(j->result.status));
	free(line);
	return -1;
}

/* May this flag be dropped because of a quoted word in a complaint? */
static bool flag_matches(const char *flag, const char *word)
{
	size_t nf = strlen(flag), nw = strlen(word);

	if (flag[0] != '-' || strchr("DUIi", flag[1]))
		return false;
	return str_eq(flag, word) ||
	       (nw && nf > nw && flag[nf - nw - 1] == '=' && str_eq(flag + nf - nw, word));
}

static bool reject(const struct unit *u, const char *word)
{
	bool found = false;

	for (uint32_t i = 0; i < u->flags.n; i++) {
		const char *flag = u->flags.v[i];

		if (flag_matches(flag, word) && !args_has(&learnt.rejected, flag)) {
			diag_verbose("flag %s is not for clang: dropped", flag);
			args_push(&learnt.rejected, flag);
			found = true;
		}
	}
	return found;
}

static bool reject_target(const struct unit *u)
{
	bool found = false;

	for (uint32_t i = 0; i < u->flags.n; i++)
		if (str_starts(u->flags.v[i], "--target="))
			found |= reject(u, u->flags.v[i]);
	return found;
}

struct refusal {
	const struct unit *u;
	bool found;
};

/* A complaint about the command line names the flag, or its value, in quotes:
 *
 *	clang: error: unknown argument: '-fwhatever'
 *	clang: error: unsupported option '-mfoo' for target 'x86_64-pc-linux-gnu'
 *	error: unknown target CPU 'k8'
 */
static bool refusal_line(const char *line, size_t n, void *ctx)
{
	const char *p = memmem(line, n, "error: ", 7), *end = line + n, *q;
	struct refusal *r = ctx;

	if (!p)
		return false;
	/* "clang-19: error:", not "a.c:3:7: error:" */
	if (p >= line + 2 && memchr(line, ':', (size_t)(p - 2 - line)))
		return false;
	while ((p = memchr(p, '\'', (size_t)(end - p))) && (q = memchr(p + 1, '\'', (size_t)(end - p - 1)))) {
		char *word = xstrndup(p + 1, (size_t)(q - p - 1));
		bool hit = reject(r->u, word);

		free(word);
		if (hit) {
			r->found = true;
			return false;
		}
		p = q + 1;
	}
	if (memmem(line, n, "target", 6))
		r->found |= reject_target(r->u);
	return false;
}

/* Drops the flags that clang complained of.  False if it complained of none. */
static bool drop_refused(struct job *j)
{
	struct refusal r = { .u = j->u };

	any_line(j->result.err, refusal_line, &r);
	return r.found;
}

/* ---- the overlay ---- */

static void drop_overlay(struct job *j)
{
	for (uint32_t i = 0; i < j->fds.n; i++)
		close(j->fds.v[i]);
	vec_clear(&j->fds);
}

static void json_string(struct sbuf *b, const char *s)
{
	sbuf_addc(b, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			sbuf_addc(b, '\\');
		sbuf_addc(b, *s);
	}
	sbuf_addc(b, '"');
}

/* What the unit is to see instead of a file, or NULL. */
static const struct unit_text *text_of(const struct unit *u, const char *path)
{
	for (uint32_t i = 0; i < u->ntexts; i++)
		if (str_eq(u->texts[i].path, path))
			return &u->texts[i];
	return NULL;
}

/* A blanked copy of a file, as a memory file; -1 if there is nothing to blank. */
static int blanked_copy(const struct unit *u, const char *path)
{
	const struct unit_text *other = text_of(u, path);
	char *text = other ? xstrndup(other->text, other->n) : NULL;
	size_t n = other ? other->n : 0;
	int fd = -1;

	if ((other || file_read(&text, &n, path) == 0) && attrs_blank(text, n))
		fd = memfile_with("plumb-blanked", text, n);
	free(text);
	return fd;
}

/* One more file for the overlay, which closes fd in the end; nothing if fd is negative. */
static void overlay_add(struct job *j, struct sbuf *b, const char *path, int fd)
{
	if (fd < 0)
		return;
	sbuf_printf(b, "%s{\"type\":\"file\",\"name\":", j->fds.n ? "," : "");
	json_string(b, path);
	sbuf_printf(b, ",\"external-contents\":\"/proc/self/fd/%d\"}", fd);
	vec_push(&j->fds, fd);
}

/* Makes the overlay of j->blanked and of the unit's own texts.  False if no file is in it. */
static bool make_overlay(struct job *j)
{
	struct sbuf b = {0};
	int fd;

	drop_overlay(j);
	sbuf_adds(&b, "{\"version\":0,\"case-sensitive\":\"true\",\"use-external-names\":\"false\","
		      "\"roots\":[");
	for (uint32_t i = 0; i < j->blanked.n; i++)
		overlay_add(j, &b, j->blanked.v[i], blanked_copy(j->u, j->blanked.v[i]));
	for (uint32_t i = 0; i < j->u->ntexts; i++) {
		const struct unit_text *t = &j->u->texts[i];

		if (!args_has(&j->blanked, t->path))
			overlay_add(j, &b, t->path, memfile_with("plumb-text", t->text, t->n));
	}
	sbuf_adds(&b, "]}");
	if (j->fds.n) {
		if ((fd = memfile_with("plumb-overlay", b.s, b.n)) < 0)
			drop_overlay(j);
		else
			vec_push(&j->fds, fd);
	}
	sbuf_release(&b);
	return j->fds.n > 0;
}

/* After a complaint about malloc(deallocator): finds the files that have it, of
 * all that clang had read by then.  False if none is new. */
static bool blank_more(struct job *j, int deps)
{
	char *source = path_from(j->u->dir, j->u->path);
	struct args files = {0};
	bool found = false;
	int fd;

	list_files(&files, j->u, deps);
	for (uint32_t i = 0; i < files.n; i++) {
		if (args_has(&j->blanked, files.v[i]) || (fd = blanked_copy(j->u, files.v[i])) < 0)
			continue;
		close(fd);
		args_push(&j->blanked, files.v[i]);
		if (!str_eq(files.v[i], source))
			args_push(&learnt.blanked, files.v[i]);
		found = true;
	}
	args_release(&files);
	free(source);
	return found && make_overlay(j);
}

/* ---- attributes ---- */

#define MAP_NAME scanned
#define MAP_KEY const char *
#define MAP_VAL bool
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

/* Does the file mention ownership attributes?  Each is read once in the life of
 * a process.  Headers of the system have models instead. */
static bool file_mentions(const char *path)
{
	static struct scanned memo;
	static struct args keys;
	struct filemap m;
	bool *known = scanned_get(&memo, path), found;

	if (known)
		return *known;
	if (str_starts(path, "/usr/include/") || str_starts(path, "/usr/lib/"))
		return false;
	if (filemap_open(&m, path) < 0)
		return false;
	found = attrs_mentioned(m.p, m.n);
	filemap_close(&m);
	args_push(&keys, path);
	scanned_set(&memo, vec_last(&keys), found);
	return found;
}

/* Are there attributes to be read? */
static bool want_attributes(const struct job *j)
{
	for (uint32_t i = 0; i < j->made->files.n; i++)
		if (args_has(&j->blanked, j->made->files.v[i]) || file_mentions(j->made->files.v[i]))
			return true;
	return false;
}

/* The text is in j->result.  0 also if clang failed. */
static int run_preprocessor(struct job *j, bool macros)
{
	struct args argv = {0};
	int ret;

	push_flags(&argv, j);
	args_push(&argv, "-E");
	if (macros)
		args_push(&argv, "-dD");
	args_push(&argv, "-o");
	args_push(&argv, "-");
	push_source(&argv, j);
	ret = run(j, &argv);
	args_release(&argv);
	return ret;
}

/* Preprocesses once more and adds models to the module.  A failure here loses
 * models, not the unit. */
static int add_models(struct job *j)
{
	struct ir_module *m = j->made->module;
	struct args models = {0};
	int ret = run_preprocessor(j, false);

	assert(m);
	if (ret < 0)
		return ret;
	if (proc_ok(j->result.status))
		attrs_models(&models, j->result.out, j->result.nout);
	for (uint32_t i = 0; i < models.n; i++) {
		diag_verbose("%s: attributes say: %s", j->u->file, models.v[i]);
		vec_push(&m->models, ir_intern(m, models.v[i]));
	}
	args_release(&models);
	return ret;
}

/* ---- all of it ---- */

/* Compiles, and mends what can be mended.  0: the bitcode is in j->result. */
static int compile(struct job *j, int deps)
{
	for (unsigned tries = 0; tries < MAX_TRIES; tries++) {
		bool again;

		if (run_compile(j, deps) < 0)
			return -1;
		if (proc_ok(j->result.status))
			return 0;
		again = drop_refused(j);
		if (!again && strstr(j->result.err, "attribute takes no arguments"))
			again = blank_more(j, deps);
		if (!again && !j->types && j->u->preprocessed)
			again = j->types = strstr(j->result.err, "unknown type name '_Float") != NULL;
		/* clang uses neither overlay nor macros for a source that is preprocessed */
		j->again = j->u->preprocessed && (j->types || j->fds.n);
		if (!again)
			break;
	}
	return set_error(j);
}

/* Does each reader get the same from it?  A device or a pipe may give something else the next time, and may
 * have no end: libclang reads /dev/zero until no memory is left.  /dev/null is always the same. */
static bool is_repeatable(const struct stat *st)
{
	return S_ISREG(st->st_mode) || (S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3));
}

static int check_files(const struct args *files)
{
	struct stat st;

	for (uint32_t i = 0; i < files->n; i++)
		if (stat(files->v[i], &st) == 0 && !is_repeatable(&st))
			return error_set("it includes %s, which is not a regular file", files->v[i]);
	return 0;
}

static int lower(struct job *j)
{
	double start = cpu_of_self();
	int ret;

	ret = lower_bitcode(&j->made->module, j->result.out, j->result.nout, j->u->file);
	j->made->times.lower += cpu_of_self() - start;
	return ret;
}

int unit_make(struct unit_made *made, const struct unit *u, const char *clang)
{
	struct job j = { .u = u, .clang = clang, .made = made };
	int deps = -1, ret = -1;
	struct stat st;
	char *path;

	unit_check(u);
	memset(made, 0, sizeof(*made));
	path = path_join(u->dir, u->path);
	if (access(path, R_OK) < 0 || stat(path, &st) < 0) {
		error_set("%s", strerror(errno));
		goto done;
	}
	if (!S_ISREG(st.st_mode)) {	/* a pipe that nobody writes to, a device without end */
		error_set("not a regular file");
		goto done;
	}
	clean_environment();
	args_add(&j.blanked, &learnt.blanked);
	make_overlay(&j);
	if ((deps = memfile("plumb-deps")) < 0)
		goto done;
	if ((ret = compile(&j, deps)) < 0)
		goto done;
	list_files(&made->files, u, deps);
	if ((ret = check_files(&made->files)) < 0 || (ret = lower(&j)) < 0)
		goto done;
	if (want_attributes(&j))
		ret = add_models(&j);
	assert(made->module);
done:
	if (ret < 0)
		unit_made_release(made);
	if (deps >= 0)
		close(deps);
	drop_overlay(&j);
	vec_release(&j.fds);
	args_release(&j.blanked);
	proc_result_release(&j.result);
	free(path);
	return ret;
}

int unit_preprocess(struct sbuf *out, const struct unit *u, const char *clang)
{
	struct unit_made made = {0};
	struct job j = { .u = u, .clang = clang, .made = &made };
	int ret;

	unit_check(u);
	clean_environment();
	do {
		ret = run_preprocessor(&j, true);
	} while (ret == 0 && !proc_ok(j.result.status) && drop_refused(&j));
	if (ret == 0 && !proc_ok(j.result.status))
		ret = set_error(&j);
	if (ret == 0)
		sbuf_add(out, j.result.out, j.result.nout);
	proc_result_release(&j.result);
	return ret;
}

void unit_made_release(struct unit_made *made)
{
	ir_module_free(made->module);
	args_release(&made->files);
	memset(made, 0, sizeof(*made));
}

/* ---- which clang ---- */

/* Is that file the program that is running? */
static bool is_self(const char *path)
{
	struct stat a, b;

	return stat("/proc/self/exe", &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

char *program_find(const char *name, bool not_self)
{
	const char *path = getenv("PATH");
	char *found = NULL;

	if (strchr(name, '/'))
		return access(name, X_OK) == 0 && !is_dir(name) ? path_absolute(name) : NULL;
	for (path = path ? path : "/usr/bin:/bin"; !found; path++) {
		size_t n = strcspn(path, ":");
		char *dir = n ? xstrndup(path, n) : xstrdup("."), *full = path_join(dir, name);

		if (access(full, X_OK) == 0 && !is_dir(full) && !(not_self && is_self(full)))
			found = path_absolute(full);
		free(full);
		free(dir);
		path += n;
		if (!*path)
			break;
	}
	return found;
}

int clang_find(char **path, const char *name)
{
	const char *env = getenv("PLUMB_CLANG");
	char *found;

	if (!name && env && *env)
		name = env;
	if (name)
		found = program_find(name, false);
	else if (!(found = *PLUMB_CLANG ? program_find(PLUMB_CLANG, false) : NULL))
		found = program_find("clang-" PLUMB_LLVM, false);
	if (!found)
		return error_set("%s: no such program; it is needed to read C source "
				 "(install clang-" PLUMB_LLVM " or set PLUMB_CLANG)",
				 name ? name : "clang-" PLUMB_LLVM);
	*path = found;
	return 0;
}
