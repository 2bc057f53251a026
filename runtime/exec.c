/*
 * exec.c - programs that cannot take a preloaded library are executed without one.
 *
 * LD_PRELOAD is inherited by whatever the program executes.  Where our library cannot be
 * loaded, that program would notice, by a line on its standard error or by its end:
 *
 *  - one of another word size or processor: its loader complains;
 *  - one whose loader is not glibc's (musl): the symbols that we need are not there, and the
 *    program does not start;
 *  - one that is linked with a sanitizer's library: that insists on being the first one;
 *  - any, where the library's path cannot be opened: after chroot() or setuid(), or for
 *    another user.  The loader complains;
 *  - one that starts with other privileges than its caller's (setuid, capabilities, or a
 *    daemon that has changed only one of its user ids): the loader says nothing, and takes
 *    no library.  That one is left out here so that it is counted.
 *
 * So each function that executes a program looks at the beginning of the file, through `#!`
 * too, and leaves our part of LD_PRELOAD out of the environment that is passed on.  What
 * else is preloaded stays.  Programs without a loader (static ones) keep the variable: it
 * does nothing to them, and is meant for what they execute.
 *
 * All of this may run in a child made by vfork, or by fork in a process with threads:
 * nothing is allocated or locked, and what is changed lies on the stack.  In doubt (a file
 * that cannot be read, a format that is not known, thousands of variables) the environment
 * is passed on as it is.
 *
 * In libplumb.so and in libplumb-run.so.
 */
#include "exec.h"

#include "loader.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define VARIABLE "LD_PRELOAD="
#define MOST_VARIABLES 8192	/* in an environment that is copied */
#define PATH_BYTES 1024		/* longer ones are not looked at: stacks may be small */
#define SCRIPTS 5		/* a script of a script of ..., as the kernel */

void (*exec_left_out)(void);

/* The next definitions, found before anybody can be in a hurry. */
static struct {
	int (*execve)(const char *, char *const *, char *const *);
	int (*execvpe)(const char *, char *const *, char *const *);
	int (*fexecve)(int, char *const *, char *const *);
	int (*execveat)(int, const char *, char *const *, char *const *, int);
	__typeof__(&posix_spawn) spawn, spawnp;
} next;

__attribute__((constructor(103))) static void find_next(void)
{
	next.execvpe = dlsym(RTLD_NEXT, "execvpe");
	next.fexecve = dlsym(RTLD_NEXT, "fexecve");
	next.execveat = dlsym(RTLD_NEXT, "execveat");
	next.spawn = dlsym(RTLD_NEXT, "posix_spawn");
	next.spawnp = dlsym(RTLD_NEXT, "posix_spawnp");
	next.execve = dlsym(RTLD_NEXT, "execve");
}

/*
 * The library
 */

/* Is this part of LD_PRELOAD, of n bytes, one of ours? */
static bool is_our_library(const char *s, size_t n)
{
	static const char first[] = "libplumb", last[] = ".so";
	const char *slash = memrchr(s, '/', n), *name = slash ? slash + 1 : s;

	n -= (size_t)(name - s);
	return n >= sizeof(first) + sizeof(last) - 2 && memcmp(name, first, sizeof(first) - 1) == 0 &&
	       memcmp(name + n - (sizeof(last) - 1), last, sizeof(last) - 1) == 0;
}

/* Goes to the next part of a list of libraries; its length, 0 at the end. */
static size_t next_part(const char **s)
{
	*s += strspn(*s, ": ");
	return strcspn(*s, ": ");
}

/* Does the list have a library of ours?  *opens: can all of those be opened from here? */
static bool has_ours(const char *list, bool *opens)
{
	bool any = false;
	size_t n;

	*opens = true;
	for (; (n = next_part(&list)) > 0; list += n) {
		char path[PATH_BYTES];

		if (!is_our_library(list, n) || n >= sizeof(path))
			continue;
		any = true;
		memcpy(path, list, n);
		path[n] = 0;
		*opens &= faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0;
	}
	return any;
}

/* The list without ours, to a place with room for all of it. */
static void without_ours(char *to, const char *list)
{
	char *p = to;
	size_t n;

	for (; (n = next_part(&list)) > 0; list += n) {
		if (is_our_library(list, n))
			continue;
		if (p != to)
			*p++ = ':';
		memcpy(p, list, n);
		p += n;
	}
	*p = 0;
}

/*
 * The program
 */

static int open_file(int dir, const char *path)
{
	return openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* Does a program start with other privileges than its caller has (AT_SECURE)?  fd may be -1. */
static bool changes_privileges(const struct stat *st, int fd)
{
	char caps[64];

	return getuid() != geteuid() || getgid() != getegid() ||
	       ((st->st_mode & S_ISUID) && st->st_uid != geteuid()) ||
	       ((st->st_mode & S_ISGID) && (st->st_mode & S_IXGRP) && st->st_gid != getegid()) ||
	       (fd >= 0 && geteuid() != 0 && fgetxattr(fd, "security.capability", caps, sizeof(caps)) > 0);
}

/* The path after `#!`, cut out of a script's first bytes; NULL: it is none. */
static char *interpreter(char *text, size_t n)
{
	char *p = text + 2, *end;

	if (n < 4 || text[0] != '#' || text[1] != '!')
		return NULL;
	text[n - 1] = 0;
	p += strspn(p, " \t");
	end = p + strcspn(p, " \t\n");
	*end = 0;
	return *p ? p : NULL;
}

/* Can a program take our library?  True in doubt. */
static bool takes_us(int dir, const char *path)
{
	char text[LOADER_HEAD], *to;
	bool takes = true;
	struct stat st;

	for (int i = 0; i < SCRIPTS; i++) {
		ssize_t n;
		int fd;

		if (fstatat(dir, path, &st, 0) < 0 || !S_ISREG(st.st_mode))
			return true;
		fd = open_file(dir, path);
		n = fd >= 0 ? pread(fd, text, sizeof(text), 0) : 0;
		to = n > 0 ? interpreter(text, (size_t)n) : NULL;
		if (to == NULL)
			takes = !changes_privileges(&st, fd) &&
				(n <= 0 || loader_obstacle(fd, text, (size_t)n) == NULL);
		if (fd >= 0)
			close(fd);
		if (to == NULL)
			return takes;
		dir = AT_FDCWD;
		path = memmove(text, to, strlen(to) + 1);
	}
	return true;
}

/*
 * The environment
 */

/* The entry of LD_PRELOAD that has to be changed for this program; NULL: none. */
static char *const *entry_to_change(int dir, const char *path, char *const *env)
{
	int saved = errno;
	bool opens;

	for (; env != NULL && *env != NULL; env++)
		if (strncmp(*env, VARIABLE, strlen(VARIABLE)) == 0)
			break;
	if (env == NULL || *env == NULL || !has_ours(*env + strlen(VARIABLE), &opens) ||
	    (opens && takes_us(dir, path)))
		env = NULL;
	errno = saved;
	return env;
}

static size_t count(char *const *v)
{
	size_t n = 0;

	while (v != NULL && v[n] != NULL)
		n++;
	return n;
}

/* A copy of the environment, with room for it, in which that entry is without us. */
static void change(char **copy, char *text, char *const *env, char *const *entry)
{
	strcpy(text, VARIABLE);
	without_ours(text + strlen(VARIABLE), *entry + strlen(VARIABLE));
	for (; *env != NULL; env++)
		if (env != entry)
			*copy++ = *env;
		else if (text[strlen(VARIABLE)] != 0)
			*copy++ = text;
	*copy = NULL;
	if (exec_left_out != NULL)
		exec_left_out();
}

/* Makes env what the program at this path may be given.  A macro, as what it makes lies on
 * the stack of the function that uses it. */
#define PREPARE(dir, path, env) do { \
	char *const *entry_ = entry_to_change(dir, path, env); \
	size_t n_ = entry_ != NULL ? count(env) : 0; \
\
	if (entry_ != NULL && n_ <= MOST_VARIABLES) { \
		char **copy_ = alloca((n_ + 1) * sizeof(*copy_)); \
\
		change(copy_, alloca(strlen(*entry_) + 1), env, entry_); \
		env = copy_; \
	} \
} while (0)

/* Where execvp() finds a program: buf, or the name itself if that is a path. */
static const char *search(const char *name, char *buf, size_t size)
{
	const char *list = getenv("PATH"), *end;
	size_t n = strlen(name), k;
	struct stat st;

	if (strchr(name, '/') != NULL || n == 0)
		return name;
	for (list = list ? list : "/bin:/usr/bin";; list = end + 1) {
		end = strchrnul(list, ':');
		k = (size_t)(end - list);
		if (k + n + 2 <= size) {
			memcpy(buf, list, k);
			if (k > 0)
				buf[k++] = '/';
			memcpy(buf + k, name, n + 1);
			if (faccessat(AT_FDCWD, buf, X_OK, AT_EACCESS) == 0 && stat(buf, &st) == 0 &&
			    S_ISREG(st.st_mode))
				return buf;
		}
		if (*end == 0)
			return name;
	}
}

/*
 * The exported functions
 */

EXPORT int execve(const char *path, char *const argv[], char *const env[])
{
	if (next.execve == NULL)
		find_next();
	PREPARE(AT_FDCWD, path, env);
	return next.execve(path, argv, env);
}

EXPORT int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

EXPORT int execvpe(const char *name, char *const argv[], char *const env[])
{
	char buf[PATH_BYTES];

	if (next.execve == NULL)
		find_next();
	PREPARE(AT_FDCWD, search(name, buf, sizeof(buf)), env);
	return next.execvpe(name, argv, env);
}

EXPORT int execvp(const char *name, char *const argv[])
{
	return execvpe(name, argv, environ);
}

/* The arguments of a function that takes them one by one, on its stack; ap is behind them
 * then. */
#define COLLECT(argv, ap, arg) do { \
	size_t n_ = 1; \
\
	va_start(ap, arg); \
	while (va_arg(ap, char *) != NULL) \
		n_++; \
	va_end(ap); \
	argv = alloca((n_ + 1) * sizeof(*argv)); \
	argv[0] = (char *)arg; \
	va_start(ap, arg); \
	for (size_t i_ = 1; i_ <= n_; i_++) \
		argv[i_] = va_arg(ap, char *); \
} while (0)

EXPORT int execl(const char *path, const char *arg, ...)
{
	char **argv;
	va_list ap;

	COLLECT(argv, ap, arg);
	va_end(ap);
	return execve(path, argv, environ);
}

EXPORT int execle(const char *path, const char *arg, ...)
{
	char **argv, *const *env;
	va_list ap;

	COLLECT(argv, ap, arg);
	env = va_arg(ap, char *const *);
	va_end(ap);
	return execve(path, argv, env);
}

EXPORT int execlp(const char *name, const char *arg, ...)
{
	char **argv;
	va_list ap;

	COLLECT(argv, ap, arg);
	va_end(ap);
	return execvpe(name, argv, environ);
}

static void path_of_fd(char *path, int fd)
{
	char digits[16], *d = digits + sizeof(digits) - 1;

	*d = 0;
	do
		*--d = (char)('0' + fd % 10);
	while ((fd /= 10) != 0);
	strcpy(path, "/proc/self/fd/");
	strcat(path, d);
}

EXPORT int fexecve(int fd, char *const argv[], char *const env[])
{
	char path[40];

	if (next.execve == NULL)
		find_next();
	path_of_fd(path, fd < 0 ? 0 : fd);
	if (fd >= 0)
		PREPARE(AT_FDCWD, path, env);
	return next.fexecve(fd, argv, env);
}

EXPORT int execveat(int dir, const char *path, char *const argv[], char *const env[], int flags)
{
	char self[40];

	if (next.execve == NULL)
		find_next();
	if (next.execveat == NULL)
		return errno = ENOSYS, -1;
	if (dir >= 0 && (flags & AT_EMPTY_PATH) && faccessat(dir, path, F_OK, 0) < 0) {
		path_of_fd(self, dir);	/* what the descriptor itself has open */
		PREPARE(AT_FDCWD, self, env);
	} else {
		PREPARE(dir, path, env);
	}
	return next.execveat(dir, path, argv, env, flags);
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	if (next.execve == NULL)
		find_next();
	PREPARE(AT_FDCWD, path, env);
	return next.spawn(pid, path, actions, attr, argv, env);
}

EXPORT int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	char buf[PATH_BYTES];

	if (next.execve == NULL)
		find_next();
	PREPARE(AT_FDCWD, search(name, buf, sizeof(buf)), env);
	return next.spawnp(pid, name, actions, attr, argv, env);
}
