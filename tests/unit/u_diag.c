/*
 * u_diag.c - messages and the progress line, as a pipe and as a terminal see
 * them.  Each case runs in a child whose standard error is the one or the other.
 */
#include "unit.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/sbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>

#define ERASE "\r\033[K"

/* Opens a terminal of `columns`: the two ends. */
static void open_terminal(int fd[2], unsigned short columns)
{
	struct winsize size = { .ws_row = 24, .ws_col = columns };
	struct termios mode;

	fd[0] = posix_openpt(O_RDWR | O_NOCTTY);
	CHECK(fd[0] >= 0 && grantpt(fd[0]) == 0 && unlockpt(fd[0]) == 0);
	fd[1] = open(ptsname(fd[0]), O_RDWR | O_NOCTTY);
	CHECK(fd[1] >= 0);
	CHECK(tcgetattr(fd[1], &mode) == 0);
	cfmakeraw(&mode);	/* newlines as they were written */
	CHECK(tcsetattr(fd[1], TCSANOW, &mode) == 0);
	CHECK(ioctl(fd[1], TIOCSWINSZ, &size) == 0);
}

/* What f says on standard error; columns 0: no terminal. */
static char *said(void (*f)(void), unsigned short columns)
{
	struct sbuf b = {0};
	char piece[4096];
	int fd[2], status;
	ssize_t k;
	pid_t pid;

	if (columns)
		open_terminal(fd, columns);
	else
		CHECK(pipe(fd) == 0);
	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		close(fd[0]);
		dup2(fd[1], 2);
		close(fd[1]);
		f();
		progress_end();
		_exit(0);
	}
	close(fd[1]);
	/* a terminal whose other end is closed gives EIO */
	while ((k = read(fd[0], piece, sizeof(piece))) > 0 || (k < 0 && errno == EINTR))
		if (k > 0)
			sbuf_add(&b, piece, (size_t)k);
	close(fd[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ_INT(status, 0);
	return sbuf_detach(&b);
}

static void expect(void (*f)(void), unsigned short columns, const char *want)
{
	char *got = said(f, columns);

	CHECK_EQ_STR(got, want);
	free(got);
}

static void terminal_environment(void)
{
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
}

static void messages(void)
{
	errno = ENOENT;
	diag_error("%s: not LLVM bitcode: %s", "x.bc", "bad magic");
	CHECK_EQ_INT(errno, ENOENT);
	diag_warn("w");
	diag_note("n %d", 1);
	diag_at(DIAG_WARNING, "src/a.c", 41, 12, "leak");
	diag_at(DIAG_ERROR, "src/a.c", 41, 0, "leak");
	diag_at(DIAG_NOTE, "src/a.c", 0, 0, "leak");
	diag_at(DIAG_NOTE, "src/a.c", 0, 7, "leak");
}

TEST(shape)
{
	expect(messages, 0,
	       "plumb: error: x.bc: not LLVM bitcode: bad magic\n"
	       "plumb: warning: w\n"
	       "plumb: note: n 1\n"
	       "src/a.c:41:12: warning: leak\n"
	       "src/a.c:41: error: leak\n"
	       "src/a.c: note: leak\n"
	       "src/a.c: note: leak\n");
}

static void one_message(void)
{
	diag_at(DIAG_ERROR, "a.c", 1, 2, "x");
}

TEST(color_on_a_terminal_only)
{
	terminal_environment();
	expect(one_message, 80, "\033[1ma.c:1:2:\033[0m \033[1;31merror:\033[0m x\n");
	expect(one_message, 0, "a.c:1:2: error: x\n");
	setenv("NO_COLOR", "1", 1);
	expect(one_message, 80, "a.c:1:2: error: x\n");
	setenv("NO_COLOR", "", 1);
	expect(one_message, 80, "\033[1ma.c:1:2:\033[0m \033[1;31merror:\033[0m x\n");
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	expect(one_message, 80, "a.c:1:2: error: x\n");
	unsetenv("TERM");
	expect(one_message, 80, "a.c:1:2: error: x\n");
	CHECK(!diag_color(-1));
}

static void hostile_message(void)
{
	diag_at(DIAG_ERROR, "a\033]0;x\a.c", 1, 0, "%s", "tab\tline\n2\r\033[2J\x7f\xc3\xa9");
}

TEST(terminal_commands_are_shown_not_obeyed)
{
	expect(hostile_message, 0,
	       "a\\x1b]0;x\\x07.c:1: error: tab\tline\n2\\x0d\\x1b[2J\\x7f\xc3\xa9\n");
}

static void verbose_messages(void)
{
	CHECK(!diag_is_verbose());
	diag_verbose("hidden");
	diag_set_verbose(true);
	CHECK(diag_is_verbose());
	diag_verbose("%d guesses", 3);
	diag_set_verbose(false);
	diag_verbose("hidden");
}

TEST(verbose)
{
	expect(verbose_messages, 0, "plumb: 3 guesses\n");
}

/* A socket that keeps the borders of writes shows whether it was one. */
TEST(one_write_each)
{
	int fd[2], status;
	char *big = xcalloc(1, 5001), got[8192];
	ssize_t k;
	pid_t pid;

	memset(big, 'x', 5000);
	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd) == 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(fd[1], 2);
		diag_at(DIAG_ERROR, "a.c", 1, 2, "%s", big);
		diag_warn("second");
		_exit(0);
	}
	k = recv(fd[0], got, sizeof(got), 0);
	CHECK_EQ_INT(k, strlen("a.c:1:2: error: \n") + 5000);
	k = recv(fd[0], got, sizeof(got), 0);
	CHECK_EQ_INT(k, strlen("plumb: warning: second\n"));
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ_INT(status, 0);
	close(fd[0]);
	close(fd[1]);
	free(big);
}

static void progress_once(void)
{
	progress_start("compiling", 249);
	progress_step(12, "src/http.c");
	progress_step(13, "too soon to be drawn");
}

TEST(progress_line)
{
	terminal_environment();
	expect(progress_once, 80, ERASE "[ 12/249] compiling src/http.c" ERASE);
	expect(progress_once, 20, ERASE "[ 12/249] compiling" ERASE);
	expect(progress_once, 0, "");
	setenv("TERM", "dumb", 1);
	expect(progress_once, 80, "");
}

static void progress_stages(void)
{
	progress_stage("linking");
	progress_part("proof %u of at most %u: ", 2, 6);
	progress_stage("points-to");
	diag_note("in between");
	progress_start("paths", 12);
	progress_step(3, "main");
	progress_part(NULL);
	progress_stage("coverage");
}

TEST(progress_of_stages)
{
	terminal_environment();
	setenv("NO_COLOR", "1", 1);
	expect(progress_stages, 80, ERASE "linking" ERASE ERASE "proof 2 of at most 6: points-to" ERASE "plumb: note: in between\n" ERASE
	       "proof 2 of at most 6: points-to" ERASE ERASE "proof 2 of at most 6: [ 3/12] paths main" ERASE ERASE "coverage" ERASE);
	unsetenv("NO_COLOR");
	expect(progress_stages, 0, "plumb: note: in between\n");
}

static void *take_steps(void *arg)
{
	(void)arg;
	progress_step(7, "of another thread");
	return NULL;
}

static void progress_in_a_thread(void)
{
	pthread_t t;

	progress_start("value flow", 12);
	CHECK_EQ_INT(pthread_create(&t, NULL, take_steps, NULL), 0);
	CHECK_EQ_INT(pthread_join(t, NULL), 0);
	progress_step(1, "of this one");
}

TEST(progress_of_one_thread)
{
	terminal_environment();
	expect(progress_in_a_thread, 80, ERASE "[ 1/12] value flow of this one" ERASE);
}

static void progress_unknown_total(void)
{
	progress_start("reading", 0);
	progress_step(7, NULL);
}

TEST(progress_without_total)
{
	terminal_environment();
	expect(progress_unknown_total, 80, ERASE "[7] reading" ERASE);
}

static void progress_cut(void)
{
	progress_start("x", 9);
	progress_step(1, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\033\n");
}

TEST(progress_is_cut_between_characters)
{
	terminal_environment();
	expect(progress_cut, 11, ERASE "[1/9] x \xc3\xa9\xc3\xa9" ERASE);
	expect(progress_cut, 80, ERASE "[1/9] x \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9??" ERASE);
	expect(progress_cut, 1, ERASE ERASE);
}

static void progress_and_message(void)
{
	setenv("NO_COLOR", "1", 1);
	diag_note("before");
	progress_start("x", 9);
	diag_note("nothing drawn yet");
	progress_step(1, "a");
	diag_note("first");
	diag_note("second");
	progress_hide();
	progress_hide();
	diag_note("third");
	progress_end();
	diag_note("after");
}

TEST(messages_erase_the_line_and_it_comes_back)
{
	terminal_environment();
	expect(progress_and_message, 80,
	       "plumb: note: before\n"
	       "plumb: note: nothing drawn yet\n"
	       ERASE "[1/9] x a"
	       ERASE "plumb: note: first\n" ERASE "[1/9] x a"
	       ERASE "plumb: note: second\n" ERASE "[1/9] x a"
	       ERASE
	       "plumb: note: third\n" ERASE "[1/9] x a"
	       ERASE
	       "plumb: note: after\n");
}

static void message_of_a_worker(void)
{
	int status;
	pid_t pid;

	setenv("NO_COLOR", "1", 1);
	progress_start("x", 9);
	progress_step(1, "a");
	pid = fork();
	if (pid == 0) {
		diag_note("one");
		diag_note("two");
		progress_step(5, "not mine to draw");
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
}

TEST(workers_erase_always_and_draw_never)
{
	terminal_environment();
	expect(message_of_a_worker, 80,
	       ERASE "[1/9] x a"
	       ERASE "plumb: note: one\n"
	       ERASE "plumb: note: two\n"
	       ERASE);
}

static void many_steps(void)
{
	progress_start("x", 100000);
	for (unsigned i = 0; i < 100000; i++)
		progress_step(i, "item");
}

TEST(progress_is_drawn_ten_times_a_second)
{
	char *got;
	unsigned n = 0;

	terminal_environment();
	got = said(many_steps, 80);
	for (char *p = got; (p = strstr(p, "x item")); p++)
		n++;
	CHECK(n >= 1 && n < 200);
	free(got);
}
