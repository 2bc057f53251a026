/*
 * u_file.c - files and paths.  Works in a folder of its own, which each test
 * must leave without temporary files.
 */
#include "unit.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Makes a new folder and goes there; leave_folder removes it. */
static char *enter_folder(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = xasprintf("%s/u_file.XXXXXX", tmp ? tmp : "/tmp");

	CHECK(mkdtemp(dir) != NULL);
	CHECK(chdir(dir) == 0);
	return dir;
}

/* The number of names here that start with prefix. */
static int count_names(const char *prefix)
{
	DIR *d = opendir(".");
	struct dirent *e;
	int n = 0;

	CHECK(d != NULL);
	while ((e = readdir(d)))
		n += !str_eq(e->d_name, ".") && !str_eq(e->d_name, "..") &&
		     str_starts(e->d_name, prefix);
	closedir(d);
	return n;
}

static void leave_folder(char *dir)
{
	char *cmd = xasprintf("rm -rf '%s'", dir);

	CHECK_EQ_INT(count_names(".plumb"), 0);
	CHECK(chdir("/") == 0);
	CHECK(system(cmd) == 0);
	free(cmd);
	free(dir);
}

static void expect_text(const char *path, const char *want)
{
	char *text;
	size_t n;

	CHECK_EQ_INT(file_read(&text, &n, path), 0);
	CHECK_EQ_STR(text, want);
	CHECK_EQ_INT(n, strlen(want));
	free(text);
}

TEST(read_what_was_written)
{
	char *dir = enter_folder(), *big = xmalloc(3000000), *back;
	struct filemap m;
	size_t n;

	for (int i = 0; i < 3000000; i++)
		big[i] = (char)(i * 7 / 3);
	CHECK_EQ_INT(file_write("big", big, 3000000), 0);
	CHECK_EQ_INT(file_read(&back, &n, "big"), 0);
	CHECK_EQ_INT(n, 3000000);
	CHECK(memcmp(back, big, n) == 0);
	CHECK_EQ_INT(back[n], 0);
	free(back);
	CHECK_EQ_INT(filemap_open(&m, "big"), 0);
	CHECK_EQ_INT(m.n, 3000000);
	CHECK(memcmp(m.p, big, n) == 0);
	filemap_close(&m);
	filemap_close(&m);
	free(big);
	leave_folder(dir);
}

TEST(empty_file)
{
	char *dir = enter_folder();
	struct filemap m;

	CHECK_EQ_INT(file_write("empty", NULL, 0), 0);
	expect_text("empty", "");
	CHECK_EQ_INT(filemap_open(&m, "empty"), 0);
	CHECK_EQ_INT(m.n, 0);
	CHECK_EQ_STR(m.p, "");
	filemap_close(&m);
	leave_folder(dir);
}

TEST(reading_fails)
{
	char *dir = enter_folder(), *text = NULL;
	struct filemap m;
	size_t n;

	CHECK(file_read(&text, &n, "no/such.c") < 0);
	CHECK_EQ_STR(error_last(), "no/such.c: No such file or directory");
	CHECK(filemap_open(&m, "no/such.c") < 0);
	CHECK_EQ_STR(error_last(), "no/such.c: No such file or directory");
	filemap_close(&m);
	CHECK(file_read(&text, &n, ".") < 0);
	CHECK_EQ_STR(error_last(), ".: Is a directory");
	CHECK(filemap_open(&m, ".") < 0);
	CHECK_EQ_STR(error_last(), ".: Is a directory");
	CHECK(!text);
	leave_folder(dir);
}

/* Pipes and devices are read where the user has named them; files of /proc are empty. */
TEST(streams)
{
	struct filemap m;
	char *text, path[64];
	size_t n;
	int fd[2];

	CHECK_EQ_INT(file_read(&text, &n, "/proc/self/environ"), 0);
	CHECK_EQ_INT(n, 0);
	free(text);
	CHECK_EQ_INT(filemap_open_named(&m, "/proc/self/environ"), 0);
	CHECK_EQ_INT(m.n, 0);
	filemap_close(&m);
	CHECK(file_read(&text, &n, "/dev/zero") < 0);
	CHECK_EQ_STR(error_last(), "/dev/zero: not a regular file");
	CHECK(filemap_open(&m, "/dev/null") < 0);
	CHECK_EQ_INT(filemap_open_named(&m, "/dev/null"), 0);
	CHECK_EQ_INT(m.n, 0);
	filemap_close(&m);
	CHECK(pipe(fd) == 0);
	CHECK_EQ_INT(write(fd[1], "text", 4), 4);
	close(fd[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd[0]);
	CHECK(file_read(&text, &n, path) < 0);
	CHECK_EQ_INT(file_read_named(&text, &n, path), 0);
	CHECK(n == 4 && str_eq(text, "text"));
	free(text);
	close(fd[0]);
}

TEST(commit_replaces_abort_does_not)
{
	char *dir = enter_folder();
	struct fileout o;

	CHECK_EQ_INT(file_write("x", "old", 3), 0);
	CHECK_EQ_INT(fileout_open(&o, "x"), 0);
	fputs("new", o.f);
	fflush(o.f);
	expect_text("x", "old");
	CHECK_EQ_INT(count_names(".plumb"), 1);
	fileout_abort(&o);
	fileout_abort(&o);
	expect_text("x", "old");
	CHECK_EQ_INT(count_names(""), 1);

	CHECK_EQ_INT(fileout_open(&o, "x"), 0);
	fputs("newer", o.f);
	CHECK_EQ_INT(fileout_commit(&o), 0);
	fileout_abort(&o);
	expect_text("x", "newer");
	CHECK_EQ_INT(count_names(""), 1);
	leave_folder(dir);
}

TEST(several_at_once)
{
	struct fileout o[20];
	char *dir = enter_folder(), name[20];

	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "f%d", i / 2);	/* two for each target */
		CHECK_EQ_INT(fileout_open(&o[i], name), 0);
		fprintf(o[i].f, "%d", i);
	}
	for (int i = 0; i < 20; i++) {
		if (i % 3 == 0)
			fileout_abort(&o[i]);
		else
			CHECK_EQ_INT(fileout_commit(&o[i]), 0);
	}
	expect_text("f0", "1");
	expect_text("f1", "2");
	expect_text("f2", "5");
	leave_folder(dir);
}

static unsigned mode_of(const char *path)
{
	struct stat st;

	CHECK(stat(path, &st) == 0);
	return st.st_mode & 07777;
}

TEST(modes)
{
	char *dir = enter_folder();
	mode_t old = umask(027);

	CHECK_EQ_INT(file_write("new", "x", 1), 0);
	CHECK_EQ_INT(mode_of("new"), 0640);
	CHECK(chmod("new", 0755) == 0);
	CHECK_EQ_INT(file_write("new", "y", 1), 0);
	CHECK_EQ_INT(mode_of("new"), 0755);
	umask(old);
	leave_folder(dir);
}

TEST(symbolic_links_are_followed)
{
	char *dir = enter_folder();
	struct stat st;

	CHECK(mkdir("sub", 0777) == 0);
	CHECK_EQ_INT(file_write("sub/target", "old", 3), 0);
	CHECK(symlink("sub/target", "link") == 0);
	CHECK(symlink("../link", "sub/again") == 0);
	CHECK_EQ_INT(file_write("sub/again", "new", 3), 0);
	expect_text("sub/target", "new");
	CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
	/* to a file that is not there yet */
	CHECK(symlink("sub/later", "dangling") == 0);
	CHECK_EQ_INT(file_write("dangling", "z", 1), 0);
	expect_text("sub/later", "z");
	/* and in circles */
	CHECK(symlink("round", "round") == 0);
	CHECK(file_write("round", "z", 1) < 0);
	CHECK_EQ_STR(error_last(), "cannot write round: Too many levels of symbolic links");
	/* not out of the folder of the link */
	CHECK(symlink("../out", "sub/out") == 0);
	CHECK(file_write("sub/out", "z", 1) < 0);
	CHECK_EQ_STR(error_last(), "cannot write sub/out: it is a symbolic link to sub/../out, in another folder (name that file itself)");
	CHECK(!file_exists("out"));
	CHECK(mkdir("subs", 0777) == 0 && symlink("../subs/x", "sub/x") == 0);
	CHECK(file_write("sub/x", "z", 1) < 0);
	CHECK(symlink("/dev/null", "sub/null") == 0);
	CHECK(file_write("sub/null", "z", 1) < 0);
	CHECK_EQ_INT(file_write("/dev/null", "z", 1), 0);
	leave_folder(dir);
}

TEST(writing_fails)
{
	char *dir = enter_folder();
	struct fileout o;

	CHECK(fileout_open(&o, "no/such") < 0);
	CHECK_EQ_STR(error_last(), "cannot write no/such: No such file or directory");
	fileout_abort(&o);
	CHECK(mkdir("folder", 0777) == 0);
	CHECK(file_write("folder", "x", 1) < 0);
	CHECK_EQ_STR(error_last(), "cannot write folder: Is a directory");
	CHECK(file_write("", "x", 1) < 0);
	CHECK_EQ_STR(error_last(), "cannot write : No such file or directory");
	/* the folder goes away between open and commit */
	CHECK_EQ_INT(fileout_open(&o, "folder/x"), 0);
	CHECK(system("rm -rf folder") == 0);
	CHECK(fileout_commit(&o) < 0);
	CHECK_EQ_STR(error_last(), "cannot write folder/x: No such file or directory");
	leave_folder(dir);
}

TEST(devices_are_written_directly)
{
	struct stat st;

	CHECK_EQ_INT(file_write("/dev/null", "x", 1), 0);
	CHECK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
	CHECK(file_write("/dev/full", "x", 1) < 0);
	CHECK_EQ_STR(error_last(), "cannot write /dev/full: No space left on device");
}

/* As a full disk, with a limit on file size. */
TEST(disk_full_leaves_the_old_file)
{
	char *dir = enter_folder(), *big = xcalloc(200000, 1);
	struct rlimit old, small;

	CHECK_EQ_INT(file_write("x", "old", 3), 0);
	CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
	small = old;
	small.rlim_cur = 100000;
	signal(SIGXFSZ, SIG_IGN);
	CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
	CHECK(file_write("x", big, 200000) < 0);
	CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
	signal(SIGXFSZ, SIG_DFL);
	CHECK_EQ_STR(error_last(), "cannot write x: File too large");
	expect_text("x", "old");
	CHECK_EQ_INT(count_names(""), 1);
	free(big);
	leave_folder(dir);
}

TEST(standard_output)
{
	char *dir = enter_folder();
	struct fileout o;
	int saved, fd;

	fflush(stdout);
	saved = dup(1);
	fd = open("out", O_WRONLY | O_CREAT, 0666);
	CHECK(saved >= 0 && fd >= 0);
	dup2(fd, 1);
	close(fd);
	CHECK_EQ_INT(fileout_open(&o, "-"), 0);
	fputs("to the screen", o.f);
	fileout_commit(&o);
	CHECK_EQ_INT(file_write("-", "!", 1), 0);
	dup2(saved, 1);
	close(saved);
	expect_text("out", "to the screen!");
	CHECK_EQ_INT(count_names(""), 1);
	leave_folder(dir);
}

/* Runs f in a child with an output half written; what is left behind? */
static int end_of_child(void (*f)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		struct fileout o;

		CHECK_EQ_INT(fileout_open(&o, "x"), 0);
		fputs("half", o.f);
		fflush(o.f);
		CHECK_EQ_INT(count_names(".plumb-"), 1);
		f();
		_exit(99);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ_INT(count_names(".plumb-"), 0);
	return status;
}

static void by_exit(void)
{
	exit(5);
}

static void by_sigterm(void)
{
	raise(SIGTERM);
}

static void by_sigint(void)
{
	kill(getpid(), SIGINT);
	pause();
}

static void by_abort(void)
{
	abort();
}

TEST(no_temporary_file_is_left)
{
	char *dir = enter_folder();
	int status;

	CHECK_EQ_INT(file_write("x", "old", 3), 0);
	status = end_of_child(by_exit);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	status = end_of_child(by_sigterm);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	status = end_of_child(by_sigint);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	status = end_of_child(by_abort);
	CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 99);
	expect_text("x", "old");
	leave_folder(dir);
}

/* A child that exits or is killed leaves its parent's output alone. */
TEST(child_does_not_remove_the_parents)
{
	char *dir = enter_folder();
	struct fileout o;
	int status;
	pid_t pid;

	CHECK_EQ_INT(fileout_open(&o, "x"), 0);
	for (int i = 0; i < 2; i++) {
		fflush(NULL);
		pid = fork();
		if (pid == 0) {
			if (i == 0)
				exit(0);
			raise(SIGTERM);
		}
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK_EQ_INT(count_names(".plumb-"), 1);
	}
	fputs("whole", o.f);
	CHECK_EQ_INT(fileout_commit(&o), 0);
	expect_text("x", "whole");
	leave_folder(dir);
}

/* An ignored signal (nohup) stays ignored. */
TEST(ignored_signals_stay)
{
	struct sigaction sa;
	char *dir = enter_folder();
	int status;
	pid_t pid;

	fflush(stdout);
	signal(SIGHUP, SIG_IGN);
	pid = fork();
	if (pid == 0) {
		CHECK_EQ_INT(file_write("y", "y", 1), 0);
		CHECK(sigaction(SIGHUP, NULL, &sa) == 0);
		CHECK(sa.sa_handler == SIG_IGN);
		_exit(0);
	}
	signal(SIGHUP, SIG_DFL);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ_INT(status, 0);
	leave_folder(dir);
}

TEST(folders)
{
	char *dir = enter_folder(), *deep = path_join(dir, "p/q//r/");

	CHECK_EQ_INT(make_dirs("a/b/c"), 0);
	CHECK_EQ_INT(make_dirs("a/b/c"), 0);
	CHECK_EQ_INT(make_dirs("a"), 0);
	CHECK_EQ_INT(make_dirs("/"), 0);
	CHECK_EQ_INT(make_dirs(deep), 0);
	CHECK(is_dir("a/b/c") && is_dir("p/q/r"));
	CHECK_EQ_INT(file_write("file", "", 0), 0);
	CHECK(!is_dir("file") && file_exists("file"));
	CHECK(!file_exists("nothing") && !is_dir("nothing"));
	CHECK(make_dirs("file/x") < 0);
	CHECK_EQ_STR(error_last(), "cannot create folder file: Not a directory");
	CHECK(make_dirs("") < 0);
	free(deep);
	leave_folder(dir);
}

static void check_free(char *got, const char *want, const char *what, int line)
{
	if (!str_eq(got, want))
		unit_fail(__FILE__, line, "%s is \"%s\", expected \"%s\"", what, got, want);
	free(got);
}

#define PATH_IS(expr, want) check_free((expr), (want), #expr, __LINE__)

TEST(path_join_dir_base_ext)
{
	PATH_IS(path_join("a", "b"), "a/b");
	PATH_IS(path_join("a/", "b"), "a/b");
	PATH_IS(path_join("a", "/b"), "/b");
	PATH_IS(path_join("", "b"), "b");
	PATH_IS(path_join("a", ""), "a");
	PATH_IS(path_join("/", "b"), "/b");
	PATH_IS(path_dir("a/b.c"), "a");
	PATH_IS(path_dir("a.c"), ".");
	PATH_IS(path_dir("/a"), "/");
	PATH_IS(path_dir("/"), "/");
	PATH_IS(path_dir("a//b"), "a");
	PATH_IS(path_dir("//a"), "/");
	PATH_IS(path_dir("a/"), "a");
	PATH_IS(path_dir(""), ".");
	CHECK_EQ_STR(path_base("a/b.c"), "b.c");
	CHECK_EQ_STR(path_base("b.c"), "b.c");
	CHECK_EQ_STR(path_base("a/"), "");
	CHECK_EQ_STR(path_ext("a/b.c"), ".c");
	CHECK_EQ_STR(path_ext("a.b/c"), "");
	CHECK_EQ_STR(path_ext("x.tar.gz"), ".gz");
	CHECK_EQ_STR(path_ext(".profile"), "");
	CHECK_EQ_STR(path_ext("a/.."), "");
	CHECK_EQ_STR(path_ext(""), "");
	CHECK_EQ_STR(path_ext("..x.c"), ".c");
}

TEST(path_normal)
{
	PATH_IS(path_normal(""), ".");
	PATH_IS(path_normal("."), ".");
	PATH_IS(path_normal("./"), ".");
	PATH_IS(path_normal("a"), "a");
	PATH_IS(path_normal("./a//b/./c/"), "a/b/c");
	PATH_IS(path_normal("a/../b"), "b");
	PATH_IS(path_normal("a/.."), ".");
	PATH_IS(path_normal("a/b/../../.."), "..");
	PATH_IS(path_normal("../../a"), "../../a");
	PATH_IS(path_normal("../a/../.."), "../..");
	PATH_IS(path_normal("a/../../b"), "../b");
	PATH_IS(path_normal("/"), "/");
	PATH_IS(path_normal("//"), "/");
	PATH_IS(path_normal("/.."), "/");
	PATH_IS(path_normal("/../a"), "/a");
	PATH_IS(path_normal("/a/../../b/."), "/b");
	PATH_IS(path_normal("..a/...b/.c"), "..a/...b/.c");
}

/* Random paths: normal again changes nothing, and the component list is that of
 * a stack. */
TEST(path_normal_random)
{
	static const char *const parts[] = { ".", "..", "a", "bb", "..c", "" };
	struct unit_rng rng = { 61 };

	for (int round = 0; round < 20000; round++) {
		const char *stack[16];
		char path[100] = "", want[100] = "", *once, *twice;
		uint32_t n = unit_below(&rng, 9), depth = 0;
		bool root = unit_below(&rng, 2);

		if (root)
			strcpy(path, "/");
		for (uint32_t i = 0; i < n; i++) {
			const char *p = parts[unit_below(&rng, ARRAY_LEN(parts))];

			if (i == 0 && !root && !p[0])
				p = "a";	/* or it would be absolute */
			strcat(strcat(path, p), i + 1 < n ? "/" : "");
			if (str_eq(p, "..")) {
				if (depth && !str_eq(stack[depth - 1], ".."))
					depth--;
				else if (!root)
					stack[depth++] = p;
			} else if (p[0] && !str_eq(p, ".")) {
				stack[depth++] = p;
			}
		}
		if (root)
			strcpy(want, "/");
		for (uint32_t i = 0; i < depth; i++)
			strcat(strcat(want, stack[i]), i + 1 < depth ? "/" : "");
		if (!want[0])
			strcpy(want, ".");
		once = path_normal(path);
		twice = path_normal(once);
		if (!str_eq(once, want))
			FAIL("path_normal(\"%s\") is \"%s\", expected \"%s\"", path, once, want);
		CHECK_EQ_STR(twice, once);
		free(once);
		free(twice);
	}
}

TEST(path_absolute)
{
	char *dir = enter_folder(), *cwd = getcwd(NULL, 0), *want = path_join(cwd, "a/b");
	char *gone;

	PATH_IS(path_absolute("a/./b"), want);
	PATH_IS(path_absolute("c/../a/b"), want);
	PATH_IS(path_absolute("/x//y"), "/x/y");
	PATH_IS(path_absolute("."), cwd);
	/* in a folder that is no more */
	CHECK(mkdir("gone", 0777) == 0 && chdir("gone") == 0 && rmdir("../gone") == 0);
	gone = path_absolute("./x");
	CHECK_EQ_STR(gone, "x");
	CHECK(chdir(dir) == 0);
	free(gone);
	free(cwd);
	free(want);
	leave_folder(dir);
}

TEST(path_relative)
{
	PATH_IS(path_relative("/a/b/c.c", "/a/b"), "c.c");
	PATH_IS(path_relative("/a/b/c.c", "/a/"), "b/c.c");
	PATH_IS(path_relative("/a/b/c.c", "/"), "a/b/c.c");
	PATH_IS(path_relative("/a/b", "/a/b"), ".");
	PATH_IS(path_relative("/a/bc", "/a/b"), "/a/bc");
	PATH_IS(path_relative("/a/b/../x.c", "/a/b"), "/a/b/../x.c");
	PATH_IS(path_relative("/x", "/a"), "/x");
	PATH_IS(path_relative("a/b", "."), "a/b");
	PATH_IS(path_relative("./a/b", "."), "a/b");
	PATH_IS(path_relative("../a", "."), "../a");
	PATH_IS(path_relative("..", "."), "..");
	PATH_IS(path_relative("..a", "."), "..a");
	PATH_IS(path_relative("/a", "."), "/a");
	PATH_IS(path_relative("../a/b", ".."), "a/b");
	PATH_IS(path_relative("../../a", ".."), "../../a");
	PATH_IS(path_relative("../..", ".."), "../..");
	PATH_IS(path_relative("a", "/"), "a");
}

TEST(path_exe_dir)
{
	char *dir = path_exe_dir();

	CHECK(dir[0] == '/');
	CHECK(is_dir(dir));
	free(dir);
}
