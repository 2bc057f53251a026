/*
 * diag.c - what plumb says to its user on standard error.
 *
 * A message is put together in memory and leaves in one write(), so that lines
 * of several processes do not mix (a pipe keeps up to PIPE_BUF bytes together).
 * Text from outside may hold bytes that control a terminal: control characters
 * are printed as \x1b and the like, except newline and tab in the message (but
 * not in the file's name before it).
 */
#include "base/diag.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/sbuf.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static bool verbose;
static enum diag_color when;	/* --color */

static const struct {
	const char *name, *color;
} levels[] = {
	[DIAG_ERROR] = { "error", "\033[1;31m" },
	[DIAG_WARNING] = { "warning", "\033[1;35m" },
	[DIAG_NOTE] = { "note", "\033[1;36m" },
};

void diag_set_color(enum diag_color c)
{
	assert(c <= DIAG_COLOR_NEVER);
	when = c;
}

bool diag_color(int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when != DIAG_COLOR_AUTO)
		return when == DIAG_COLOR_ALWAYS;
	if (no && no[0])
		return false;
	return term && term[0] && !str_eq(term, "dumb") && isatty(fd);
}

/* The bytes of the control character at s, also of one in UTF-8 (U+0080 to U+009F); 0: it is none. */
static size_t control_at(const char *s)
{
	unsigned char c = (unsigned char)s[0], next = c ? (unsigned char)s[1] : 0;

	if (c == 0xc2 && next >= 0x80 && next < 0xa0)
		return 2;
	return (c && c < 0x20) || c == 0x7f;
}

/* Adds s with its control characters as text, except the allowed ones. */
static void add_escaped(struct sbuf *b, const char *s, const char *allowed)
{
	for (; *s; s++) {
		size_t n = strchr(allowed, *s) ? 0 : control_at(s);

		if (!n)
			sbuf_addc(b, *s);
		for (size_t i = 0; i < n; i++)
			sbuf_printf(b, "\\x%02x", (unsigned char)s[i]);
		s += n ? n - 1 : 0;
	}
}

void diag_harmless(struct sbuf *b, const char *s)
{
	add_escaped(b, s, "");
}

static void add_vprintf(struct sbuf *b, const char *fmt, va_list ap)
{
	struct sbuf text = {0};

	sbuf_vprintf(&text, fmt, ap);
	add_escaped(b, sbuf_str(&text), "\n\t");
	sbuf_release(&text);
}

/* Ends the line, adds the progress line again and prints both. */
static void put_line(struct sbuf *b)
{
	assert(b->n > 0);
	sbuf_addc(b, '\n');
	progress__redraw(b);
	fd_write_all(STDERR_FILENO, b->s, b->n);
}

static void add_place(struct sbuf *b, const char *file, unsigned line, unsigned col)
{
	diag_harmless(b, file ? file : "plumb");
	if (file && line)
		sbuf_printf(b, ":%u", line);
	if (file && line && col)
		sbuf_printf(b, ":%u", col);
	sbuf_addc(b, ':');
}

void diag_at(enum diag_level level, const char *file, unsigned line, unsigned col,
	     const char *fmt, ...)
{
	int saved = errno;
	bool color = diag_color(STDERR_FILENO);
	struct sbuf b = {0};
	va_list ap;

	assert((size_t)level < ARRAY_LEN(levels));
	progress__erase(&b);
	if (color)
		sbuf_adds(&b, "\033[1m");
	add_place(&b, file, line, col);
	if (color)
		sbuf_printf(&b, "\033[0m %s%s:\033[0m ", levels[level].color, levels[level].name);
	else
		sbuf_printf(&b, " %s: ", levels[level].name);
	va_start(ap, fmt);
	add_vprintf(&b, fmt, ap);
	va_end(ap);
	put_line(&b);
	sbuf_release(&b);
	errno = saved;
}

void diag_verbose(const char *fmt, ...)
{
	int saved = errno;
	struct sbuf b = {0};
	va_list ap;

	if (!verbose)
		return;
	progress__erase(&b);
	sbuf_adds(&b, "plumb: ");
	va_start(ap, fmt);
	add_vprintf(&b, fmt, ap);
	va_end(ap);
	put_line(&b);
	sbuf_release(&b);
	errno = saved;
}

void diag_set_verbose(bool on)
{
	verbose = on;
}

bool diag_is_verbose(void)
{
	return verbose;
}
