/*
 * text.c - findings for a terminal, in the manner of a modern compiler:
 *
 *	src/a.c:41:15: leak: memory allocated by malloc is not freed when `n < 0` [...]
 *	   41 |         char *p = malloc(n);
 *	      |                   ^~~~~~~~~ 1. allocated here by malloc
 *	      ...
 *	   58 |                 return -1;
 *	      |                 ^~~~~~ 2. `p` goes out of scope
 *
 * The first line of a finding is never wrapped or cut, because editors and people
 * search for that line.  Source lines are cut to the width, around their marks.
 * Text that comes from a source, a path or an engine reaches the terminal as plain
 * characters only.
 *
 * needs: findings_finish() or findings_read().
 */
#include "report/priv.h"

#include "base/mem.h"
#include "base/sbuf.h"
#include "report/story.h"
#include "report/utf8.h"

#include <assert.h>

enum { TAB = 8, GUTTER = 5, MIN_WIDTH = 40, DEFAULT_WIDTH = 100, CONTEXT = 12 };

static const char cut[] = "...";
enum { CUT = sizeof(cut) - 1 };

struct out {
	struct sbuf b;
	bool color;
	unsigned gutter;	/* columns of line numbers */
	size_t room;		/* columns right of the gutter */
	bool numbered;		/* steps have numbers */
};

enum style { PLAIN, BOLD, DIM, BAD, GOOD, BAR, ALLOC, STEP };

static void style(struct out *o, enum style s)
{
	static const char *const codes[] = {
		[PLAIN] = "0", [BOLD] = "1", [DIM] = "2", [BAD] = "1;31", [GOOD] = "1;32",
		[BAR] = "34", [ALLOC] = "1;36", [STEP] = "33",
	};

	assert((unsigned)s < ARRAY_LEN(codes));
	if (o->color)
		sbuf_printf(&o->b, "\033[%sm", codes[s]);
}

static void put(struct out *o, const char *s)
{
	utf8_clean(&o->b, s, strlen(s));
}

static void put_styled(struct out *o, enum style s, const char *text)
{
	style(o, s);
	put(o, text);
	style(o, PLAIN);
}

static void pad(struct out *o, size_t n)
{
	while (n--)
		sbuf_addc(&o->b, ' ');
}

/* ---- a source line ---- */

/* How many columns a character takes at column col. */
static size_t width_at(uint32_t cp, size_t col)
{
	if (cp == '\t')
		return TAB - col % TAB;
	return utf8_is_plain(cp) ? utf8_width(cp) : 1;
}

/* The column, from 0, of the byte at `at`. */
static size_t column_of(const char *text, size_t n, size_t at)
{
	size_t col = 0;
	uint32_t cp;

	for (size_t i = 0; i < n && i < at;) {
		i += utf8_next(text + i, n - i, &cp);
		col += width_at(cp, col);
	}
	return col;
}

/* Columns from..to-1 of the line. */
static void put_columns(struct out *o, const char *text, size_t n, size_t from, size_t to)
{
	size_t col = 0, width;
	uint32_t cp;

	assert(from <= to);
	for (size_t i = 0; i < n && col < to; col += width) {
		i += utf8_next(text + i, n - i, &cp);
		width = width_at(cp, col);
		if (cp == '\t')
			pad(o, MIN(col + width, to) - MIN(MAX(col, from), MIN(col + width, to)));
		else if (col >= from && col + width <= to)
			utf8_put(&o->b, utf8_is_plain(cp) ? cp : UTF8_BAD);
		else if (col + width > from && col < to)
			sbuf_addc(&o->b, ' ');	/* half of a wide character */
	}
}

/* Which columns of a line are shown. */
struct window {
	size_t from, to;
	bool cut_left, cut_right;
};

static struct span columns_of(const struct story_line *l, const struct story_mark *m)
{
	return (struct span){ column_of(l->text, l->n, m->span.start),
			      column_of(l->text, l->n, m->span.end) };
}

/* The window that shows mark m (NULL: the line's beginning). */
static struct window window_of(const struct out *o, const struct story_line *l,
			       const struct story_mark *m)
{
	size_t total = column_of(l->text, l->n, l->n);
	struct window w = { 0, total, false, false };
	struct span c = m ? columns_of(l, m) : (struct span){ 0, 0 };

	if (total <= o->room)
		return w;
	if (c.end > o->room - CUT && c.start > CONTEXT) {
		w.from = c.start - CONTEXT;
		w.cut_left = true;
	}
	w.to = w.from + o->room - (w.cut_left ? CUT : 0);
	if (w.to < total) {
		w.to -= CUT;
		w.cut_right = true;
	} else {
		w.to = total;
	}
	assert(w.from < w.to);
	assert(w.to - w.from + CUT * (w.cut_left + w.cut_right) <= o->room);
	return w;
}

/* The gutter, with a line number if there is one. */
static void put_gutter(struct out *o, unsigned number, char bar)
{
	style(o, BAR);
	if (number)
		sbuf_printf(&o->b, "%*u %c", o->gutter, number, bar);
	else
		sbuf_printf(&o->b, "%*s %c", o->gutter, "", bar);
	style(o, PLAIN);
}

static void end_line(struct out *o)
{
	while (o->b.n && o->b.s[o->b.n - 1] == ' ')
		o->b.s[--o->b.n] = '\0';
	sbuf_addc(&o->b, '\n');
}

static void put_source(struct out *o, const struct story_line *l, const struct window *w)
{
	put_gutter(o, l->number, '|');
	sbuf_addc(&o->b, ' ');
	if (w->cut_left)
		put_styled(o, DIM, cut);
	put_columns(o, l->text, l->n, w->from, w->to);
	if (w->cut_right)
		put_styled(o, DIM, cut);
	end_line(o);
}

/* ---- marks ---- */

static enum style style_of(enum story_role role)
{
	switch (role) {
	case STORY_ALLOC: return ALLOC;
	case STORY_STEP: return STEP;
	case STORY_LEAK: return BAD;
	}
	assert(!"a role");
	return PLAIN;
}

/* How much of s (n bytes) fits into `room` columns, broken between words. */
static size_t fitting(const char *s, size_t n, size_t room)
{
	size_t col = 0, i = 0, at_space = 0;
	uint32_t cp;

	while (i < n) {
		size_t k = utf8_next(s + i, n - i, &cp);

		col += utf8_is_plain(cp) ? utf8_width(cp) : 1;
		if (col > room)
			return at_space ? at_space : MAX(i, k);
		i += k;
		if (i == n || s[i] == ' ')
			at_space = i;
	}
	return n;
}

/* The text right of the gutter's bar, from column `indent`, on as many lines as needed. */
static void put_wrapped(struct out *o, const char *s, size_t indent, enum style st)
{
	size_t n = strlen(s);

	assert(indent < o->room);
	while (n) {
		size_t k = fitting(s, n, o->room - indent);

		assert(k > 0 && k <= n);
		put_gutter(o, 0, '|');
		pad(o, indent + 1);
		style(o, st);
		utf8_clean(&o->b, s, k);
		style(o, PLAIN);
		end_line(o);
		for (; k < n && s[k] == ' '; k++)
			;
		s += k;
		n -= k;
	}
}

static void message_of(struct sbuf *b, const struct out *o, const struct story_mark *m)
{
	if (o->numbered)
		sbuf_printf(b, "%u. ", m->step);
	sbuf_adds(b, m->message);
}

/* A column of the line as a column of the window, right of the mark of a cut. */
static size_t in_window(const struct window *w, size_t col)
{
	return MIN(MAX(col, w->from), w->to) - w->from + (w->cut_left ? CUT : 0);
}

/* The indent of a message that does not fit beside its underline: below the underline,
 * moved left until the message fits on one line, or wrapped. */
static size_t indent_below(const struct out *o, size_t start, size_t columns)
{
	if (columns < o->room)
		return MIN(start, o->room - columns);
	return start + 30 < o->room ? start : MIN(start, (size_t)TAB);
}

static void put_mark(struct out *o, const struct story_line *l, const struct window *w,
		     const struct story_mark *m)
{
	struct span c = columns_of(l, m);
	size_t start = in_window(w, c.start), end = in_window(w, c.end);
	struct sbuf text = {0};
	size_t columns;
	bool fits;

	message_of(&text, o, m);
	columns = utf8_columns(sbuf_str(&text), text.n);
	end = MAX(end, start + 1);
	fits = end + 1 + columns <= o->room;
	put_gutter(o, 0, '|');
	pad(o, start + 1);
	style(o, style_of(m->role));
	sbuf_addc(&o->b, '^');
	for (size_t i = start + 1; i < end; i++)
		sbuf_addc(&o->b, '~');
	if (fits) {
		sbuf_addc(&o->b, ' ');
		put(o, sbuf_str(&text));
	}
	style(o, PLAIN);
	end_line(o);
	if (!fits)
		put_wrapped(o, sbuf_str(&text), indent_below(o, start, columns), style_of(m->role));
	sbuf_release(&text);
}

/* A line without source: only its messages. */
static void put_unseen(struct out *o, const struct story_line *l)
{
	struct sbuf text = {0};

	for (uint32_t i = 0; i < l->marks.n; i++) {
		put_gutter(o, l->number, ':');
		sbuf_addc(&o->b, ' ');
		message_of(&text, o, &l->marks.v[i]);
		put_styled(o, style_of(l->marks.v[i].role), sbuf_str(&text));
		end_line(o);
		sbuf_clear(&text);
	}
	sbuf_release(&text);
}

/* Does the window show all of the mark? */
static bool shows(const struct window *w, const struct story_line *l, const struct story_mark *m)
{
	struct span c = columns_of(l, m);

	return c.start >= w->from && c.start < MAX(w->to, 1) && c.end <= w->to;
}

/* A line too wide for all of its marks is shown once for each part of it. */
static void put_line(struct out *o, const struct story_line *l)
{
	uint32_t i = 0;

	if (l->gap) {
		style(o, BAR);
		pad(o, o->gutter + 1);
		sbuf_adds(&o->b, "...");
		style(o, PLAIN);
		end_line(o);
	}
	if (!l->text) {
		put_unseen(o, l);
		return;
	}
	do {
		const struct story_mark *m = l->marks.n ? &l->marks.v[i] : NULL;
		struct window w = window_of(o, l, m);

		put_source(o, l, &w);
		for (uint32_t k = i; k < l->marks.n; k++, i++) {
			if (&l->marks.v[k] != m && !shows(&w, l, &l->marks.v[k]))
				break;
			put_mark(o, l, &w, &l->marks.v[k]);
		}
	} while (i < l->marks.n);
}

/* ---- a finding ---- */

static void put_block_head(struct out *o, const struct story_block *b)
{
	pad(o, o->gutter - 1);
	put_styled(o, BAR, "-->");
	sbuf_addc(&o->b, ' ');
	put(o, b->file);
	sbuf_printf(&o->b, ":%u", b->line);
	if (b->function[0]) {
		sbuf_adds(&o->b, " in ");
		put(o, b->function);
		sbuf_adds(&o->b, "()");
	}
	end_line(o);
}

static void put_note(struct out *o, enum style st, const char *label, const char *text)
{
	pad(o, o->gutter + 1);
	put_styled(o, BAR, "=");
	sbuf_addc(&o->b, ' ');
	put_styled(o, st, label);
	sbuf_adds(&o->b, ": ");
	put(o, text);
	end_line(o);
}

static void put_fix(struct out *o, struct findings *fs, const struct finding *f)
{
	struct sbuf b = {0};

	if (f->fix == FINDING_FIX_REFUSED)
		put_note(o, BOLD, "no safe fix", f->fix_reason);
	if (f->fix != FINDING_FIX_AVAILABLE)
		return;
	report_edits(&b, fs, f);
	sbuf_adds(&b, b.n ? " (plumb fix)" : "plumb fix");
	put_note(o, GOOD, "fix", sbuf_str(&b));
	sbuf_release(&b);
}

static void put_head(struct out *o, struct findings *fs, const struct finding *f)
{
	const char *state = f->suppressed ? "suppressed " : "";
	struct sbuf b = {0};

	if (f->in_baseline)
		state = "old ";
	style(o, BOLD);
	put(o, f->alloc.file[0] ? finding_path(fs, f->alloc.file) : "(unknown place)");
	if (f->alloc.line)
		sbuf_printf(&o->b, ":%u", f->alloc.line);
	if (f->alloc.line && f->alloc.column)
		sbuf_printf(&o->b, ":%u", f->alloc.column);
	sbuf_adds(&o->b, ": ");
	style(o, PLAIN);
	style(o, f->suppressed ? DIM : BAD);
	sbuf_printf(&o->b, "%s%s: ", state, story_label(f));
	style(o, PLAIN);
	story_headline(&b, f, '`');
	put_styled(o, BOLD, sbuf_str(&b));
	style(o, DIM);
	sbuf_printf(&o->b, " [%s, %s confidence, %s]", finding_kind_name(f->kind),
		    finding_confidence_name(f->confidence), f->id);
	style(o, PLAIN);
	sbuf_addc(&o->b, '\n');
	sbuf_release(&b);
}

static unsigned digits(unsigned x)
{
	unsigned n = 1;

	while (x /= 10)
		n++;
	return n;
}

static void layout(struct out *o, const struct story *s, unsigned width)
{
	o->numbered = s->steps.n > 1;
	o->gutter = GUTTER;
	for (uint32_t i = 0; i < s->steps.n; i++)
		o->gutter = MAX(o->gutter, digits(s->steps.v[i].at.line) + 1);
	assert(width >= MIN_WIDTH && o->gutter + 3 < width);
	o->room = width - o->gutter - 3;
	assert(o->room > CUT + CONTEXT);
}

/* Is the block where the first line of the finding says? */
static bool is_at_head(struct findings *fs, const struct story_block *b, const struct finding *f)
{
	return str_eq(b->file, finding_path(fs, f->alloc.file)) &&
	       (!b->function[0] || str_eq(b->function, f->alloc.function));
}

/* hint: with a line on how to silence the finding. */
static void put_finding(struct out *o, struct findings *fs, const struct finding *f,
			unsigned width, bool hint)
{
	const char *reason = f->suppress_reason;
	struct sbuf b = {0};
	struct story s;

	story_init(&s, fs, f);
	layout(o, &s, width);
	put_head(o, fs, f);
	for (uint32_t i = 0; i < s.blocks.n; i++) {
		const struct story_block *block = &s.blocks.v[i];

		if (i || !is_at_head(fs, block, f))
			put_block_head(o, block);
		for (uint32_t k = 0; k < block->lines.n; k++)
			put_line(o, &block->lines.v[k]);
	}
	put_fix(o, fs, f);
	if (f->in_baseline)
		put_note(o, BOLD, "not counted", "it is in the baseline");
	else if (f->suppressed)
		put_note(o, BOLD, "suppressed", reason && reason[0] ? reason : "no reason given");
	else if (hint && f->alloc.line) {
		sbuf_printf(&b, "// plumb-ignore: REASON on line %u or the line above", f->alloc.line);
		put_note(o, BOLD, "to silence", sbuf_str(&b));
	}
	sbuf_addc(&o->b, '\n');
	sbuf_release(&b);
	story_release(&s);
}

/* ---- the report ---- */

static void put_failures(struct out *o, struct findings *fs)
{
	struct sbuf b = {0};

	story_number(&b, fs->failed.n, "unit");
	sbuf_adds(&b, " could not be analysed:");
	put_styled(o, BOLD, sbuf_str(&b));
	sbuf_addc(&o->b, '\n');
	for (uint32_t i = 0; i < fs->failed.n; i++) {
		const struct finding_failure *x = &fs->failed.v[i];
		const char *rest = finding_failure_rest(x->file, x->error);

		sbuf_adds(&o->b, "  ");
		put_styled(o, BOLD, x->file && x->file[0] ? finding_path(fs, x->file) : "(no name)");
		if (!rest) {
			sbuf_adds(&o->b, ": ");
			rest = x->error ? x->error : "";
		}
		put(o, rest);
		end_line(o);
	}
	sbuf_addc(&o->b, '\n');
	sbuf_release(&b);
}

/* The last line, which always says what was judged and what was not. */
static void put_summary(struct out *o, struct findings *fs)
{
	bool bad = findings_count(fs) || fs->failed.n || !fs->units_analysed;
	struct sbuf b = {0};

	story_summary(&b, fs);
	put_styled(o, bad ? BOLD : GOOD, sbuf_str(&b));
	sbuf_addc(&o->b, '\n');
	sbuf_release(&b);
}

static void flush(struct out *o, FILE *f)
{
	fwrite(sbuf_str(&o->b), 1, o->b.n, f);	/* errors show in ferror() */
	sbuf_clear(&o->b);
}

void report__text(struct findings *fs, FILE *f, const struct report_options *opt)
{
	struct out o = { .color = opt->color };
	unsigned width = MAX(opt->width ? opt->width : DEFAULT_WIDTH, (unsigned)MIN_WIDTH);
	bool hint = true;	/* only the first finding says how to silence it */

	for (uint32_t i = 0; i < fs->v.n; i++) {
		const struct finding *x = fs->v.v[i];

		if ((x->suppressed || x->in_baseline) && !opt->show_suppressed)
			continue;
		put_finding(&o, fs, x, width, hint);
		hint &= x->suppressed || x->in_baseline;
		flush(&o, f);
	}
	if (fs->failed.n)
		put_failures(&o, fs);
	put_summary(&o, fs);
	flush(&o, f);
	sbuf_release(&o.b);
}
