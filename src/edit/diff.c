/*
 * diff.c - edited texts as a unified diff that git apply and patch -p1 take.
 *
 * Where the texts differ is known, so nothing has to be searched: each replacement touches
 * some whole lines of both texts; old lines that come again among the new ones stay.  A line is
 * whatever ends with LF, so CR LF and bytes of any encoding go through unchanged.
 */
#include "edit/files.h"

#include "base/sbuf.h"

enum { CONTEXT = 3, BARS = 40 };

struct text {
	const char *p;
	uint32_t n;
	struct fix_starts lines;	/* one more entry: the end */
};

struct change {			/* lines [a, b) of the old text are [c, d) of the new one */
	uint32_t a, b, c, d;
};

VEC_TYPE(changes, struct change);

static void text_init(struct text *t, const char *p, uint32_t n)
{
	*t = (struct text){ .p = p, .n = n };
	fix_line_starts(&t->lines, p, n);
	if (n && p[n - 1] != '\n')
		vec_push(&t->lines, n);
}

static uint32_t nlines(const struct text *t)
{
	return t->lines.n - 1;
}

void fix_line_starts(struct fix_starts *out, const char *text, uint32_t n)
{
	vec_push(out, 0);
	for (uint32_t i = 0; i < n; i++)
		if (text[i] == '\n')
			vec_push(out, i + 1);
}

uint32_t fix_line_at(const uint32_t *starts, uint32_t n, uint32_t offset)
{
	uint32_t lo = 0, hi = n;

	assert(n && starts[0] <= offset);

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (starts[mid] <= offset)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* The line of an offset; that after the last for the end of a text whose last line is ended. */
static uint32_t line_of(const struct text *t, uint32_t offset)
{
	uint32_t lo = fix_line_at(t->lines.v, t->lines.n, offset);

	/* the end of a last line without an end of line belongs to that line */
	if (lo && lo == nlines(t) && t->n && t->p[t->n - 1] != '\n')
		lo--;
	return lo;
}

static bool same_line(const struct text *x, uint32_t i, const struct text *y, uint32_t k)
{
	uint32_t n = x->lines.v[i + 1] - x->lines.v[i];

	assert(i < nlines(x) && k < nlines(y));
	return n == y->lines.v[k + 1] - y->lines.v[k] &&
	       memcmp(x->p + x->lines.v[i], y->p + y->lines.v[k], n) == 0;
}

static void add_change(struct changes *out, struct change c)
{
	struct change *last = out->n ? &vec_last(out) : NULL;

	assert(!last || (c.a >= last->a && c.c >= last->c));	/* shifts are ascending */
	if (last && (c.a < last->b || c.c < last->d)) {
		last->b = MAX(last->b, c.b);
		last->d = MAX(last->d, c.d);
		return;
	}
	vec_push(out, c);
}

static void find_changes(struct changes *out, const struct fix_file *f,
			 const struct text *x, const struct text *y)
{
	for (uint32_t i = 0; i < f->shifts.n; i++) {
		const struct fix_shift *s = &f->shifts.v[i];
		struct change c = { line_of(x, s->old), line_of(x, s->old + s->nold),
				    line_of(y, s->at), line_of(y, s->at + s->n) };

		c.b = MIN(c.b + 1, nlines(x));
		c.d = MIN(c.d + 1, nlines(y));
		add_change(out, c);
	}
}

/* Changes without a line between them are one. */
static void push_change(struct changes *out, struct change c)
{
	struct change *last = out->n ? &vec_last(out) : NULL;

	if (c.a == c.b && c.c == c.d)
		return;
	if (last && c.a == last->b && c.c == last->d) {
		last->b = c.b;
		last->d = c.d;
	} else {
		vec_push(out, c);
	}
}

/* Lines of a change that are in both texts, in their order, are none. */
static void split_change(struct changes *out, const struct text *x, const struct text *y, struct change c)
{
	struct change part = c;

	for (uint32_t i = c.a; i < c.b; i++) {
		uint32_t k = part.c;

		while (k < c.d && !same_line(x, i, y, k))
			k++;
		if (k == c.d)
			continue;
		part.b = i;
		part.d = k;
		push_change(out, part);
		part = (struct change){ i + 1, c.b, k + 1, c.d };
	}
	part.b = c.b;
	part.d = c.d;
	push_change(out, part);
}

static void put_lines(struct sbuf *out, char sign, const struct text *t, uint32_t from, uint32_t to)
{
	for (; from < to; from++) {
		uint32_t a = t->lines.v[from], b = t->lines.v[from + 1];

		sbuf_addc(out, sign);
		sbuf_add(out, t->p + a, b - a);
		if (t->p[b - 1] != '\n')
			sbuf_adds(out, "\n\\ No newline at end of file\n");
	}
}

static void put_range(struct sbuf *out, char sign, uint32_t from, uint32_t n)
{
	sbuf_printf(out, " %c%u", sign, n ? from + 1 : from);
	if (n != 1)
		sbuf_printf(out, ",%u", n);
}

/* Changes [i, k) in one hunk. */
static void put_hunk(struct sbuf *out, const struct text *x, const struct text *y, const struct change *v,
		     uint32_t n)
{
	uint32_t lead = MIN(v[0].a, CONTEXT), a = v[0].a - lead, c = v[0].c - lead;
	uint32_t b = MIN(v[n - 1].b + CONTEXT, nlines(x)), d = v[n - 1].d + (b - v[n - 1].b), at = a;

	sbuf_adds(out, "@@");
	put_range(out, '-', a, b - a);
	put_range(out, '+', c, d - c);
	sbuf_adds(out, " @@\n");
	for (uint32_t i = 0; i < n; i++) {
		put_lines(out, ' ', x, at, v[i].a);
		put_lines(out, '-', x, v[i].a, v[i].b);
		put_lines(out, '+', y, v[i].c, v[i].d);
		at = v[i].b;
	}
	put_lines(out, ' ', x, at, b);
}

/* What ends a name, or what a terminal would take for commands. */
static bool is_special(unsigned char c)
{
	return c < ' ' || c == 0x7f || c == '"' || c == '\\';
}

/* "a/NAME", quoted as git does it where that is needed. */
static void put_name(struct sbuf *out, const char *sign, char side, const char *name)
{
	bool quote = false, blank = strchr(name, ' ') != NULL;

	for (const char *p = name; *p; p++)
		quote |= is_special((unsigned char)*p);
	name += strspn(name, "/");
	sbuf_printf(out, "%s %s%c/", sign, quote ? "\"" : "", side);
	for (; *name; name++) {
		if (is_special((unsigned char)*name))
			sbuf_printf(out, "\\%03o", (unsigned char)*name);
		else
			sbuf_addc(out, *name);
	}
	/* a name with blanks ends at a tab */
	sbuf_adds(out, quote ? "\"\n" : blank ? "\t\n" : "\n");
}

/* Both texts of a file, and the lines in which they differ; the caller's. */
static void compare(struct changes *cs, struct text *x, struct text *y, const struct fix_file *f)
{
	struct changes touched = {0};

	text_init(x, f->old, f->nold);
	text_init(y, f->text, f->n);
	find_changes(&touched, f, x, y);
	for (uint32_t i = 0; i < touched.n; i++)
		split_change(cs, x, y, touched.v[i]);
	vec_release(&touched);
}

static void diff_file(struct sbuf *out, const struct fix_file *f, const char *name)
{
	struct changes cs = {0};
	struct text x, y;

	compare(&cs, &x, &y, f);
	if (cs.n) {
		put_name(out, "---", 'a', name);
		put_name(out, "+++", 'b', name);
	}
	for (uint32_t i = 0, k; i < cs.n; i = k) {
		for (k = i + 1; k < cs.n && cs.v[k].a - cs.v[k - 1].b <= 2 * CONTEXT; k++)
			;
		put_hunk(out, &x, &y, &cs.v[i], k - i);
	}
	vec_release(&cs);
	vec_release(&x.lines);
	vec_release(&y.lines);
}

/* One file's line, and its numbers added to those of all. */
static void stat_file(struct sbuf *out, const struct fix_file *f, const char *name,
		      uint32_t *added, uint32_t *removed)
{
	uint32_t come = 0, gone = 0;
	struct changes cs = {0};
	struct text x, y;

	compare(&cs, &x, &y, f);
	for (uint32_t i = 0; i < cs.n; i++) {
		come += cs.v[i].d - cs.v[i].c;
		gone += cs.v[i].b - cs.v[i].a;
	}
	sbuf_printf(out, " %s | %u ", name, come + gone);
	for (uint32_t i = 0; i < MIN(come, BARS); i++)
		sbuf_addc(out, '+');
	for (uint32_t i = 0; i < MIN(gone, BARS); i++)
		sbuf_addc(out, '-');
	sbuf_addc(out, '\n');
	*added += come;
	*removed += gone;
	vec_release(&cs);
	vec_release(&x.lines);
	vec_release(&y.lines);
}

void fix_stat(struct sbuf *out, const struct fix_files *fs,
	      const char *(*shown)(void *ctx, const char *path), void *ctx)
{
	uint32_t added = 0, removed = 0;

	for (uint32_t i = 0; i < fs->n; i++)
		stat_file(out, &fs->v[i], shown(ctx, fs->v[i].path), &added, &removed);
	if (!fs->n)
		return;
	sbuf_printf(out, " %u file%s changed, %u insertion%s(+)",
		    fs->n, fs->n == 1 ? "" : "s", added, added == 1 ? "" : "s");
	if (removed)
		sbuf_printf(out, ", %u deletion%s(-)", removed, removed == 1 ? "" : "s");
	sbuf_addc(out, '\n');
}

void fix_diff(struct sbuf *out, const struct fix_files *fs,
	      const char *(*shown)(void *ctx, const char *path), void *ctx)
{
	for (uint32_t i = 0; i < fs->n; i++)
		diff_file(out, &fs->v[i], shown(ctx, fs->v[i].path));
}
