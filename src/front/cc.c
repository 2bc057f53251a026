/*
 * cc.c - plumb cc: a drop-in C compiler.
 *
 * The real compiler runs with exactly the arguments we were given, our standard
 * streams and our environment, and its exit status is ours.  Beside it, at the
 * same time, an IR process makes the records of the C sources in the command.
 * When both are done the records go into the section .plumb of the object, or of
 * the program if the command links as well (see elf.c); every other byte of the
 * output stays as the real compiler made it.
 *
 * Builds trust a compiler in ways that nobody has written down, so whatever is
 * not plainly "compile these C files to an object" is left to the real compiler,
 * which takes our place by exec: preprocessing, assembly output, questions
 * (--version), standard input, other languages, outputs that are no regular
 * files.  So are the probes of configure scripts and of CMake: they
 * compile hundreds of little files that nobody will analyse, and some of them
 * look at what the compiler prints or at the bytes of the object.  A probe is
 * recognised by where it is, not by its name alone: conftest.c beside autoconf's
 * confdefs.h, a folder that CMake makes for trials.
 *
 * If the IR cannot be made the build continues, with one line of warning; a failed
 * compilation prints nothing of ours.
 *
 * Link-time optimisation: gcc -flto objects get the section, but a linker that
 * passes such objects to its plugin takes only what the plugin returns, so that
 * the linked program has no .plumb: name the objects or the archive instead.
 * clang -flto writes bitcode and no ELF file: there is no section to add (one
 * warning line); plumb check reads such objects as bitcode.
 *
 * plumb cc --oblivious is another compiler altogether: oblivious_cc.c.
 *
 * The environment:
 *	PLUMB_REAL_CC		the real compiler, may have arguments; default cc
 *	PLUMB_CC_DISABLE=1	only ever exec the real compiler
 *	PLUMB_CLANG, PLUMB_CACHE_DIR	as for plumb check
 */
#include "front/front.h"

#include "front/cache.h"
#include "front/elf.h"
#include "front/flags.h"
#include "front/oblivious.h"
#include "front/unit.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "ir/build.h"
#include "ir/io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ACTIVE "PLUMB_CC_ACTIVE"

struct source {
	struct unit unit;
	char *object;		/* where its record belongs */
	struct sbuf record;
	char *error;
};

struct cc {
	struct args real;	/* the whole command of the real compiler */
	uint32_t nown;		/* words of it that are not our arguments */
	struct cmd cmd;
	VEC(struct source) sources;
	char *clang;
	struct cache *cache;
	int results;		/* memory file that the IR process writes into */
};

static bool env_is_on(const char *name)
{
	const char *s = getenv(name);

	return s && *s && !str_eq(s, "0");
}

/* ---- the real compiler ---- */

static int make_real(struct cc *c, int argc, char **argv)
{
	const char *env = getenv("PLUMB_REAL_CC");
	char *found;

	args_split_shell(&c->real, env && *env ? env : "cc");
	if (!c->real.n)
		args_push(&c->real, "cc");
	found = program_find(c->real.v[0], true);
	if (!found)
		return error_set("%s: no such compiler (set PLUMB_REAL_CC)", c->real.v[0]);
	free(found);
	if (getenv(ACTIVE))
		return error_set("the real compiler runs plumb cc again (set PLUMB_REAL_CC)");
	c->nown = c->real.n;
	for (int i = 1; i < argc; i++)
		args_push(&c->real, argv[i]);
	return 0;
}

/* Becomes the real compiler; returns only if that is not possible.  Compilers
 * find their parts by looking up their own name in PATH: where that would find us
 * under the compiler's name, the compiler gets its full path as its name. */
static int exec_real(struct cc *c)
{
	char *path = program_find(c->real.v[0], true), *first = program_find(c->real.v[0], false);

	assert(c->nown >= 1 && c->nown <= c->real.n);
	setenv(ACTIVE, "1", 1);
	if (path) {
		if (!first || !str_eq(path, first)) {
			free(c->real.v[0]);
			c->real.v[0] = xstrdup(path);
		}
		execv(path, c->real.v);
	}
	free(path);
	free(first);
	return error_sys("cannot start %s", c->real.v[0]);
}

/* ---- is this for us? ---- */

/* Does a word name one of our open files?  What we read of it the real compiler
 * could not read any more. */
static bool names_stream(const struct args *words)
{
	for (uint32_t i = 0; i < words->n; i++)
		if (strstr(words->v[i], "/dev/stdin") || strstr(words->v[i], "/dev/fd/") ||
		    strstr(words->v[i], "/proc/self/fd"))
			return true;
	return false;
}

static bool is_probe(const char *source, const char *dir)
{
	if (str_eq(source, "conftest.c") && file_exists("confdefs.h"))
		return true;
	return strstr(dir, "/CMakeFiles/CMakeTmp") || strstr(dir, "/CMakeFiles/CMakeScratch/") ||
	       (strstr(dir, "/CMakeFiles/") && str_ends(dir, "/CompilerIdC"));
}

static bool is_regular_or_new(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? errno == ENOENT : S_ISREG(st.st_mode);
}

/* The object that -c makes of a source without -o. */
static char *default_object(const char *source)
{
	const char *base = path_base(source), *ext = path_ext(base);

	return xasprintf("%.*s.o", (int)(strlen(base) - strlen(ext)), base);
}

static char *object_of(const struct cmd *cmd, const char *source)
{
	if (cmd->output)
		return xstrdup(cmd->output);
	return cmd->mode == CMD_LINK ? xstrdup("a.out") : default_object(source);
}

static void add_source(struct cc *c, const struct cmd_input *in, const char *dir, const char *compiler)
{
	struct source *s = vec_add(&c->sources, 1);

	s->unit.file = xstrdup(in->path);
	s->unit.path = xstrdup(in->path);
	s->unit.dir = xstrdup(dir);
	s->unit.preprocessed = in->lang == CMD_CPP_OUTPUT;
	cmd_compiler_flags(&s->unit.flags, compiler);
	args_add(&s->unit.flags, &c->cmd.flags);
	s->object = object_of(&c->cmd, in->path);
}

/* Understands the command.  False if it is not for us. */
static bool plan(struct cc *c)
{
	uint32_t skip = cmd_compiler_words(c->real.v, c->nown);
	struct args words = {0};
	char *dir = path_absolute(".");
	bool ours = false;

	assert(skip >= 1 && skip <= c->nown);
	if (env_is_on("PLUMB_CC_DISABLE"))
		goto done;
	args_expand(&words, c->real.v + skip, c->real.n - skip, dir);
	if (names_stream(&words))
		goto done;
	cmd_parse(&c->cmd, words.v, words.n);
	if (c->cmd.mode > CMD_OBJECT || (c->cmd.output && !is_regular_or_new(c->cmd.output)))
		goto done;
	for (uint32_t i = 0; i < c->cmd.inputs.n; i++) {
		const struct cmd_input *in = &c->cmd.inputs.v[i];

		if (in->lang == CMD_STDIN || is_probe(in->path, dir))
			goto done;
		if (in->lang <= CMD_CPP_OUTPUT) {
			if (!is_regular_or_new(in->path))
				goto done;
			add_source(c, in, dir, c->real.v[skip - 1]);
		}
	}
	ours = c->sources.n > 0;
done:
	args_release(&words);
	free(dir);
	return ours;
}

/* ---- the IR process ---- */

struct result_head {
	uint32_t source;
	int32_t ret;
	uint64_t n;
};

/* A record from the cache, if it is there and whole. */
static bool cached_record(struct cc *c, const struct unit *u, struct sbuf *out)
{
	struct ir_module *m = NULL;
	char key[CACHE_KEY_SIZE];
	struct cache_hit hit;
	size_t used;
	bool ok;

	cache_key(c->cache, u, key);
	if (!cache_get(c->cache, key, &hit, NULL))
		return false;
	ok = ir_read(&m, &used, hit.record.p, hit.record.n) == 0;
	if (ok)
		sbuf_add(out, hit.record.p, used);
	else
		cache_hit_remove(&hit);
	ir_module_free(m);
	cache_hit_release(&hit);
	return ok;
}

static int job(void *ctx, unsigned i, struct sbuf *out)
{
	struct cc *c = ctx;
	const struct unit *u = &c->sources.v[i].unit;
	struct unit_times times;

	if (c->cache && cached_record(c, u, out))
		return 0;
	if (unit_record(out, &times, u, c->clang, c->cache, NULL) == 0)
		return 0;
	sbuf_clear(out);
	sbuf_adds(out, error_last());
	return 1;
}

static void write_result(struct cc *c, uint32_t i, int ret, const char *p, size_t n)
{
	struct result_head h = { .source = i, .ret = ret, .n = n };

	assert(i < c->sources.n && c->results >= 0);
	if (fd_write_all(c->results, &h, sizeof(h)) < 0 || fd_write_all(c->results, p, n) < 0)
		_exit(1);
}

static void done(void *ctx, unsigned i, int status, int ret, const char *out, size_t n)
{
	struct cc *c = ctx;

	if (status) {
		char *text = unit_crash_text(status, UNIT_MEMORY_LIMIT);

		write_result(c, i, 1, text, strlen(text));
		free(text);
	} else {
		write_result(c, i, ret, out, n);
		if (!ret && c->cache)
			cache_note(c->cache, n);
	}
}

/* Nothing that we do may appear on the compiler's streams. */
static void leave_streams(void)
{
	int fd = open("/dev/null", O_RDWR);

	if (fd < 0)
		_exit(1);
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
#ifndef PLUMB_DEBUG		/* where a sanitizer wants to be heard */
	dup2(fd, STDERR_FILENO);
#endif
	if (fd > STDERR_FILENO)
		close(fd);
}

static _Noreturn void ir_process(struct cc *c)
{
	struct proc_pool pool = { .workers = proc_cpus(), .njobs = c->sources.n,
				  .memory_limit = UNIT_MEMORY_LIMIT, .job = job, .done = done, .ctx = c };

	if (clang_find(&c->clang, NULL) < 0) {
		const char *text = error_last();

		for (uint32_t i = 0; i < c->sources.n; i++)
			write_result(c, i, 1, text, strlen(text));
		_exit(0);
	}
	c->cache = cache_new(NULL, 0, c->clang);
	if (proc_pool_run(&pool) < 0)
		_exit(1);
	cache_free(c->cache);
	_exit(0);
}

/* Starts the IR process in a process group of its own, so that one signal ends it
 * together with clang. */
static pid_t start_ir(struct cc *c)
{
	pid_t parent = getpid(), pid;

	c->results = memfd_create("plumb-records", MFD_CLOEXEC);
	if (c->results < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		leave_streams();
		ir_process(c);
	}
	if (pid > 0)
		setpgid(pid, pid);
	return pid;
}

/* ---- bringing both together ---- */

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1 << 8;
	return status;
}

static void stop_ir(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(-pid, SIGKILL);
	wait_for(pid);
}

/* Takes what the IR process wrote.  A source of which it wrote nothing remains
 * without record and without error. */
static void take_results(struct cc *c)
{
	char path[64], *text = NULL;
	size_t n = 0, at = 0;

	assert(c->results >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", c->results);
	if (file_read(&text, &n, path) < 0)
		return;
	while (n - at >= sizeof(struct result_head)) {
		struct result_head h;

		memcpy(&h, text + at, sizeof(h));
		at += sizeof(h);
		if (h.source >= c->sources.n || h.n > n - at)
			break;
		if (h.ret)
			c->sources.v[h.source].error = xstrndup(text + at, (size_t)h.n);
		else
			sbuf_add(&c->sources.v[h.source].record, text + at, (size_t)h.n);
		at += (size_t)h.n;
	}
	free(text);
}

static void warn(const struct source *s, const char *reason)
{
	const char *file = s->unit.file;
	size_t n = strlen(file);

	if (strncmp(reason, file, n) == 0 && reason[n] == ':' && reason[n + 1] == ' ')
		reason += n + 2;
	diag_warn("%s: no IR: %.*s", file, (int)strcspn(reason, "\n"), reason);
}

/* Puts the records where they belong.  All sources of a command that links have
 * one output, and it is written once. */
static void add_records(struct cc *c)
{
	struct sbuf all = {0};

	assert(c->sources.n > 0);
	for (uint32_t i = 0; i < c->sources.n; i++) {
		struct source *s = &c->sources.v[i];
		bool last = i + 1 == c->sources.n || !str_eq(s->object, c->sources.v[i + 1].object);

		if (s->record.n)
			sbuf_add(&all, s->record.s, s->record.n);
		else
			warn(s, s->error ? s->error : "the front end did not finish");
		if (!last)
			continue;
		if (all.n && elf_plumb_add(s->object, all.s, all.n) < 0)
			warn(s, error_last());
		sbuf_clear(&all);
	}
	sbuf_release(&all);
}

static void cc_release(struct cc *c)
{
	for (uint32_t i = 0; i < c->sources.n; i++) {
		unit_release(&c->sources.v[i].unit);
		free(c->sources.v[i].object);
		free(c->sources.v[i].error);
		sbuf_release(&c->sources.v[i].record);
	}
	vec_release(&c->sources);
	cmd_release(&c->cmd);
	args_release(&c->real);
	if (c->results >= 0)
		close(c->results);
}

/* Ends as the compiler ended. */
static int pass_status(int status)
{
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	return WEXITSTATUS(status);
}

/* The real compiler's status, as from waitpid. */
static int compile_both(struct cc *c)
{
	pid_t real, ir;
	int status;

	signal(SIGCHLD, SIG_DFL);
	fflush(NULL);
	real = fork();
	if (real == 0) {
		exec_real(c);
		diag_error("%s", error_last());
		_exit(127);
	}
	if (real < 0) {
		diag_error("cannot start %s: %s", c->real.v[0], strerror(errno));
		return 127 << 8;
	}
	ir = start_ir(c);
	status = wait_for(real);
	if (!proc_ok(status)) {
		stop_ir(ir);
		return status;
	}
	if (ir > 0) {
		wait_for(ir);
		take_results(c);
	}
	add_records(c);
	return status;
}

int front_cc(int argc, char **argv)
{
	struct cc c = { .results = -1 };
	int status;

	assert(argc >= 1);
	if (argc > 1 && str_eq(argv[1], "--oblivious"))
		return oblivious_cc(argc - 1, argv + 1);
	if (make_real(&c, argc, argv) < 0 || (!plan(&c) && exec_real(&c) < 0)) {
		diag_error("%s", error_last());
		cc_release(&c);
		return 127;
	}
	status = compile_both(&c);
	cc_release(&c);
	/* plumb-ignore: cc_release() has gone through all sources */
	return pass_status(status);
}
