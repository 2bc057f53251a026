/*
 * oblivious_cc.c - plumb cc --oblivious: compile a program so that it continues after its
 * mistakes.
 *
 *	clang -O... -emit-llvm source  ->  rewrite (oblivious.c)  ->  clang -c, or link
 *
 * The compiler is clang of our own version, whatever $PLUMB_REAL_CC says, since its
 * optimised code is rewritten.  A command that does not compile C files to objects or to
 * a program is given to clang as it is.  Programs are linked with libplumb-guard.so, by its
 * path.
 *
 * Some flags are added: clang may not leave code out because a pointer must not be null,
 * nothing is vectorised before it is rewritten, and _FORTIFY_SOURCE is off: it would end
 * the program where ours is to continue.  -flto is left out.
 */
#include "front/oblivious.h"

#include "front/args.h"
#include "front/flags.h"
#include "front/unit.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/proc.h"
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIBRARY "libplumb-guard.so"

struct command {
	struct args words;	/* after "cc", @FILEs expanded */
	struct cmd cmd;
	char *clang, *library;
	char *dir;		/* a temporary folder for what one stage gives the next */
	struct args objects;	/* of the C sources, in their order */
};

/* ---- clang ---- */

/* Runs clang with our streams.  0, or its status as exit code. */
static int run_clang(const struct args *argv)
{
	int status;
	pid_t pid;

	assert(argv->n > 0 && !argv->v[argv->n]);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		execv(argv->v[0], argv->v);
		_exit(127);
	}
	if (pid < 0) {
		diag_error("cannot start %s: %s", argv->v[0], strerror(errno));
		return 127;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int find_library(struct command *c)
{
	static const char *const dirs[] = { PLUMB_RUNTIME_DIRS };
	char *exe = path_exe_dir();

	for (size_t i = 0; i < ARRAY_LEN(dirs) && !c->library; i++) {
		char *dir = path_join(exe, dirs[i]), *path = path_join(dir, LIBRARY);

		if (file_exists(path))
			c->library = path_absolute(path);
		free(path);
		free(dir);
	}
	free(exe);
	return c->library ? 0 : error_set("%s is not where plumb is", LIBRARY);
}

/* ---- words ---- */

static bool is_source(const struct cmd_input *in)
{
	return in->lang == CMD_C || in->lang == CMD_CPP_OUTPUT;
}

/* The input that this word of the command is, not the value of an option that is spelled as one; or NULL. */
static const struct cmd_input *input_of(const struct command *c, uint32_t word)
{
	for (uint32_t i = 0; i < c->cmd.inputs.n; i++)
		if (c->cmd.inputs.v[i].word == word)
			return &c->cmd.inputs.v[i];
	return NULL;
}

/* A flag about the list of dependencies, which names a file to write.  *next: the next word is its value. */
static bool is_dependency_flag(const char *word, bool *next)
{
	*next = str_eq(word, "-MF") || str_eq(word, "-MT") || str_eq(word, "-MQ");
	return str_starts(word, "-M") && !str_starts(word, "-Ml");
}

/* All flags but -o, -c and what is linked; dependencies only if wanted. */
static void push_flags(struct args *out, const struct command *c, bool dependencies)
{
	for (uint32_t i = 0; i < c->words.n; i++) {
		const char *word = c->words.v[i];
		bool next = false;

		if (str_eq(word, "-o")) {
			i++;
		} else if (str_eq(word, "-c") || str_starts(word, "-o") || str_starts(word, "-flto") ||
			   input_of(c, i)) {
			continue;
		} else if (is_dependency_flag(word, &next) && !dependencies) {
			i += next;
		} else {
			args_push(out, word);
			if (next && i + 1 < c->words.n)
				args_push(out, c->words.v[++i]);
		}
	}
}

/* clang derives the name of the dependency file from -o, which is ours. */
static void push_dependencies(struct args *out, const struct command *c, const char *object)
{
	bool wanted = false, file = false, target = false;

	for (uint32_t i = 0; i < c->words.n; i++) {
		wanted |= str_eq(c->words.v[i], "-MD") || str_eq(c->words.v[i], "-MMD");
		file |= str_starts(c->words.v[i], "-MF");
		target |= str_starts(c->words.v[i], "-MT") || str_starts(c->words.v[i], "-MQ");
	}
	if (!wanted)
		return;
	if (!file) {
		args_push(out, "-MF");
		args_push_own(out, xasprintf("%.*s.d", (int)(strlen(object) - strlen(path_ext(object))),
					     object));
	}
	if (!target) {
		args_push(out, "-MT");
		args_push(out, object);
	}
}

static bool is_unoptimised(const struct command *c)
{
	bool none = true;

	for (uint32_t i = 0; i < c->words.n; i++)
		if (str_starts(c->words.v[i], "-O"))
			none = str_eq(c->words.v[i], "-O0");
	return none;
}

static void push_all(struct args *out, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		args_push(out, words[i]);
}

/* ---- one source ---- */

static int to_bitcode(const struct command *c, const char *source, const char *object, const char *bitcode)
{
	static const char *const added[] = {
		"-fno-delete-null-pointer-checks", "-fno-vectorize", "-fno-slp-vectorize",
		"-fno-unroll-loops", "-U_FORTIFY_SOURCE", "-DPLUMB_OBLIVIOUS=1", "-Qunused-arguments",
		"-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument", "-emit-llvm", "-c",
	};
	struct args argv = {0};
	int ret;

	args_push(&argv, c->clang);
	push_flags(&argv, c, true);
	push_dependencies(&argv, c, object);
	push_all(&argv, added, ARRAY_LEN(added));
	if (is_unoptimised(c))
		args_push(&argv, "-O1");	/* variables have to be values */
	args_push(&argv, "-o");
	args_push(&argv, bitcode);
	args_push(&argv, source);
	ret = run_clang(&argv);
	args_release(&argv);
	return ret;
}

static int to_object(const struct command *c, const char *text, const char *object)
{
	struct args argv = {0};
	int ret;

	args_push(&argv, c->clang);
	push_flags(&argv, c, false);
	args_push(&argv, "-Qunused-arguments");
	args_push(&argv, "-w");
	args_push(&argv, "-c");
	args_push(&argv, "-o");
	args_push(&argv, object);
	args_push(&argv, "-x");
	args_push(&argv, "ir");
	args_push(&argv, text);
	ret = run_clang(&argv);
	args_release(&argv);
	return ret;
}

static int rewrite_file(const char *bitcode, const char *text, const char *name)
{
	char *in = NULL, *out = NULL;
	size_t n;
	int ret;

	if ((ret = file_read(&in, &n, bitcode)) < 0 || (ret = oblivious_rewrite(&out, in, n, name)) < 0)
		goto done;
	ret = file_write(text, out, strlen(out));
done:
	free(in);
	free(out);
	if (ret < 0)
		diag_error("%s", error_last());
	return ret < 0 ? 1 : 0;
}

/* Where the object of a source goes if it is asked for; the caller's. */
static char *object_name(const struct command *c, const char *source)
{
	const char *base = path_base(source), *ext = path_ext(base);

	if (c->cmd.output)
		return xstrdup(c->cmd.output);
	return xasprintf("%.*s.o", (int)(strlen(base) - strlen(ext)), base);
}

static int compile_source(struct command *c, const char *source)
{
	char *bitcode = xasprintf("%s/%u.bc", c->dir, c->objects.n);
	char *text = xasprintf("%s/%u.ll", c->dir, c->objects.n);
	char *name = object_name(c, source);
	char *object = c->cmd.mode == CMD_LINK ? xasprintf("%s/%u.o", c->dir, c->objects.n) : xstrdup(name);
	int ret = to_bitcode(c, source, name, bitcode);

	if (ret == 0)
		ret = rewrite_file(bitcode, text, source);
	if (ret == 0)
		ret = to_object(c, text, object);
	args_push(&c->objects, object);
	free(bitcode);
	free(text);
	free(name);
	free(object);
	return ret;
}

/* ---- the command ---- */

/* The command with objects in place of sources, and with our library if it links. */
static int run_rest(struct command *c)
{
	struct args argv = {0};
	uint32_t object = 0;
	int ret;

	args_push(&argv, c->clang);
	for (uint32_t i = 0; i < c->words.n; i++) {
		const struct cmd_input *in = input_of(c, i);

		if (!in || !is_source(in))
			args_push(&argv, c->words.v[i]);
		else if (c->cmd.mode == CMD_LINK)
			args_push(&argv, c->objects.v[object++]);	/* one for each source, in order */
	}
	if (c->cmd.mode == CMD_LINK && !args_has(&c->words, "-r")) {
		char *dir = path_dir(c->library);

		args_push(&argv, c->library);
		args_push_own(&argv, xasprintf("-Wl,-rpath,%s", dir));
		free(dir);
	}
	args_push(&argv, "-Qunused-arguments");
	ret = run_clang(&argv);
	args_release(&argv);
	return ret;
}

/* Does the command compile or link? */
static bool is_ours(const struct command *c)
{
	if (c->cmd.mode > CMD_OBJECT || c->cmd.inputs.n == 0)
		return false;
	for (uint32_t i = 0; i < c->cmd.inputs.n; i++)
		if (c->cmd.inputs.v[i].lang == CMD_STDIN)
			return false;
	return true;
}

static int run_command(struct command *c)
{
	const char *tmp = getenv("TMPDIR");
	bool rest = c->cmd.mode == CMD_LINK;
	int ret = 0;

	if (rest && args_has(&c->words, "-static"))
		return diag_error("--oblivious: a static program has no place for %s", LIBRARY), 1;
	c->dir = file_temp_dir(tmp && *tmp == '/' ? tmp : "/tmp", "plumb-cc-");
	if (!c->dir)
		return diag_error("%s", error_last()), 1;
	for (uint32_t i = 0; i < c->cmd.inputs.n && ret == 0; i++) {
		if (is_source(&c->cmd.inputs.v[i]))
			ret = compile_source(c, c->cmd.inputs.v[i].path);
		else
			rest = true;
	}
	return ret == 0 && rest ? run_rest(c) : ret;
}

/* Gives clang the command as it is. */
static int run_plain(struct command *c)
{
	struct args argv = {0};
	int ret;

	args_push(&argv, c->clang);
	args_add(&argv, &c->words);
	ret = run_clang(&argv);
	args_release(&argv);
	return ret;
}

static void command_release(struct command *c)
{
	if (c->dir)
		file_remove_dir(c->dir);
	free(c->dir);
	free(c->clang);
	free(c->library);
	args_release(&c->words);
	args_release(&c->objects);
	cmd_release(&c->cmd);
}

int oblivious_cc(int argc, char **argv)
{
	struct command c = {0};
	char *dir = path_absolute(".");
	int ret;

	args_expand(&c.words, argv + 1, (uint32_t)argc - 1, dir);
	cmd_parse(&c.cmd, c.words.v, c.words.n);
	if (clang_find(&c.clang, NULL) < 0 || find_library(&c) < 0) {
		diag_error("%s", error_last());
		ret = 127;
	} else {
		ret = is_ours(&c) ? run_command(&c) : run_plain(&c);
	}
	command_release(&c);
	free(dir);
	return ret;
}
