/*
 * progress.c - one line on the terminal, rewritten in place.
 *
 * The line is cut to the terminal's width, since one that wraps cannot be taken
 * back; width is counted in UTF-8 sequences, which is wrong for wide (Chinese)
 * and combining characters.  Bytes that a terminal would obey are printed as
 * "?": items are file names, and those come from anywhere.
 *
 * A forked worker has a copy of this state that soon tells nothing: it never
 * draws, and takes the line as shown whenever it has a message to print.
 */
#include "base/progress.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/sbuf.h"

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
	pid_t owner;
	char *what, *item;
	unsigned done, total;
	int64_t drawn_at;	/* 0: not yet */
} state;

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

/* If it fails, a line of decoration is lost. */
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

	if (state.total)
		snprintf(count, sizeof(count), "[%*u/%u] ", snprintf(NULL, 0, "%u", state.total),
			 state.done, state.total);
	else
		snprintf(count, sizeof(count), "[%u] ", state.done);
	sbuf_adds(b, ERASE);
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
	if (state.shown || state.owner != getpid())
		sbuf_adds(b, ERASE);
	state.shown = false;
}

void progress__redraw(struct sbuf *b)
{
	if (!state.active || state.owner != getpid() || !state.drawn_at)
		return;
	add_line(b);
	state.shown = true;
}

void progress_hide(void)
{
	struct sbuf b = {0};

	progress__erase(&b);
	put(&b);
	sbuf_release(&b);
}

void progress_start(const char *what, unsigned total)
{
	progress_end();
	if (!usable_terminal())
		return;
	state.active = true;
	state.owner = getpid();
	state.what = xstrdup(what);
	state.total = total;
}

void progress_step(unsigned done, const char *item)
{
	struct sbuf b = {0};
	int64_t now;

	if (!state.active || state.owner != getpid())
		return;
	now = now_ns();
	if (state.drawn_at && now - state.drawn_at < INTERVAL_NS)
		return;
	state.done = done;
	free(state.item);
	state.item = item ? xstrdup(item) : NULL;
	state.drawn_at = now;
	progress__redraw(&b);
	put(&b);
	sbuf_release(&b);
}

void progress_end(void)
{
	if (state.active && state.owner == getpid())
		progress_hide();
	free(state.what);
	free(state.item);
	memset(&state, 0, sizeof(state));
}
