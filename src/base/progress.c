/*
 * progress.c - one line on the terminal, rewritten in place.
 *
 * The line is cut to the terminal's width, since one that wraps cannot be taken
 * back; width is counted in UTF-8 sequences, which is wrong for wide (Chinese)
 * and combining characters.  Bytes that a terminal would obey are printed as
 * "?": items are file names, and those come from anywhere.
 *
 * A forked worker has a copy of this state that is soon out of date: it never draws,
 * and erases the line before each message of its own, shown or not.  Threads print
 * messages, too: hence the lock.
 */
#include "base/progress.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/sbuf.h"

#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define ERASE "\r\033[K"

enum { INTERVAL_NS = 100 * 1000 * 1000 };

static struct {
	bool active;		/* between start and end, on a terminal */
	bool shown;		/* the line is on the screen now */
	bool counts;
	pid_t owner;
	pthread_t thread;
	char *what, *item;
	unsigned done, total;
	int64_t drawn_at;	/* 0: not yet */
} state;
static char *part;		/* text before the line; see progress_part() */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool usable_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && term[0] && !str_eq(term, "dumb");
}

static unsigned terminal_width(void)
{
	struct winsize w;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
		return w.ws_col;
	return 80;
}

/* A failure loses a line that is only decoration. */
static void put(const struct sbuf *b)
{
	fd_write_all(STDERR_FILENO, b->s, b->n);
}

/* Adds s, made harmless, for as long as there are columns left. */
static void add_cut(struct sbuf *b, const char *s, unsigned *columns)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if ((c & 0xc0) != 0x80) {	/* starts a character */
			if (*columns == 0)
				return;
			--*columns;
		}
		sbuf_addc(b, c < 0x20 || c == 0x7f ? '?' : *s);
	}
}

static void add_line(struct sbuf *b)
{
	char count[64];
	unsigned columns = terminal_width() - 1;	/* the last one may wrap */

	assert(state.active && state.what);
	count[0] = '\0';
	if (state.total)
		snprintf(count, sizeof(count), "[%*u/%u] ", snprintf(NULL, 0, "%u", state.total),
			 state.done, state.total);
	else if (state.counts)
		snprintf(count, sizeof(count), "[%u] ", state.done);
	sbuf_adds(b, ERASE);
	add_cut(b, part ? part : "", &columns);
	add_cut(b, count, &columns);
	add_cut(b, state.what, &columns);
	if (state.item) {
		add_cut(b, " ", &columns);
		add_cut(b, state.item, &columns);
	}
}

void progress__erase(struct sbuf *b)
{
	if (!state.active)
		return;
	pthread_mutex_lock(&lock);
	if (state.shown || state.owner != getpid())
		sbuf_adds(b, ERASE);
	state.shown = false;
	pthread_mutex_unlock(&lock);
}

void progress__redraw(struct sbuf *b)
{
	if (!state.active || state.owner != getpid() || !state.drawn_at)
		return;
	pthread_mutex_lock(&lock);
	add_line(b);
	state.shown = true;
	pthread_mutex_unlock(&lock);
}

void progress_hide(void)
{
	struct sbuf b = {0};

	progress__erase(&b);
	put(&b);
	sbuf_release(&b);
}

static void start(const char *what, unsigned total, bool counts)
{
	progress_end();
	assert(!state.active && !state.what && !state.item);
	if (!usable_terminal())
		return;
	state.counts = counts;
	state.owner = getpid();
	state.thread = pthread_self();
	state.what = xstrdup(what);
	state.total = total;
	state.active = true;
}

void progress_start(const char *what, unsigned total)
{
	start(what, total, true);
}

void progress_stage(const char *what)
{
	start(what, 0, false);
	progress_step(0, NULL);
}

void progress_part(const char *fmt, ...)
{
	va_list ap;

	free(part);
	part = NULL;
	if (!fmt || !usable_terminal())
		return;
	va_start(ap, fmt);
	if (vasprintf(&part, fmt, ap) < 0)
		part = NULL;	/* the line lacks its beginning */
	va_end(ap);
}

void progress_step(unsigned done, const char *item)
{
	struct sbuf b = {0};
	int64_t now;

	if (!state.active || state.owner != getpid() || !pthread_equal(state.thread, pthread_self()))
		return;
	now = now_ns();
	if (state.drawn_at && now - state.drawn_at < INTERVAL_NS)
		return;
	pthread_mutex_lock(&lock);
	state.done = done;
	free(state.item);
	state.item = item ? xstrdup(item) : NULL;
	state.drawn_at = now;
	pthread_mutex_unlock(&lock);
	progress__redraw(&b);
	put(&b);
	sbuf_release(&b);
}

void progress_end(void)
{
	if (state.active && state.owner == getpid())
		progress_hide();
	state.active = false;
	free(state.what);
	free(state.item);
	memset(&state, 0, sizeof(state));
}
