/*
 * site_patch.c - the edits of a finding as a unified diff that `patch -p1` takes.
 *
 * Edits are grouped into hunks with three lines of context.  Within a hunk, the lines that
 * edits touch are taken together, as they are and as they will be; lines that are equal at
 * both ends belong to the context.  Edits that do not fit the source at hand (it has
 * changed, or the file of findings is hostile) give no diff at all: half a patch is worse
 * than none.
 */
#include "report/priv.h"

#include "base/mem.h"
#include "base/sbuf.h"
#include "finding/source.h"

enum { CONTEXT = 3 };

VEC_TYPE(edits, const struct finding_edit *);
VEC_TYPE(lines, struct text_line { const char *s; size_t n; });

static int by_position(const void *pa, const void *pb)
{
	const struct finding_edit *a = *(const struct finding_edit *const *)pa, *b = *(const struct finding_edit *const *)pb;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return a < b ? -1 : a > b;	/* insertions at one place: in their order */
}

/* Is there such a place?  The column may be just behind the line's end. */
static bool in_source(const struct source *src, unsigned line, unsigned column)
{
	size_t n;

	if (line == src->lines.n + 1 && column == 1)
		return true;	/* behind the last line */
	return line && column && source_line(src, line, &n) && column <= n + 1;
}

static bool fit(const struct edits *v, const struct source *src)
{
	for (uint32_t i = 0; i < v->n; i++) {
		const struct finding_edit *e = v->v[i], *next = i + 1 < v->n ? v->v[i + 1] : NULL;

		if (!in_source(src, e->line, e->column) || !in_source(src, e->end_line, e->end_column))
			return false;
		if (e->end_line < e->line || (e->end_line == e->line && e->end_column < e->column))
			return false;
		if (next && (next->line < e->end_line || (next->line == e->end_line && next->column < e->end_column)))
			return false;
	}
	return true;
}

/* Text from one place of the source to another. */
static void add_source(struct sbuf *b, const struct source *src, unsigned line, unsigned column, unsigned end_line,
		       unsigned end_column)
{
	for (; line <= end_line; line++, column = 1) {
		size_t n = 0;
		const char *s = source_line(src, line, &n);

		if (line == end_line)
			n = MIN(n, end_column - 1);
		if (s && column - 1 < n)
			sbuf_add(b, s + column - 1, n - (column - 1));
		if (line < end_line)
			sbuf_addc(b, '\n');
	}
}

static void split(struct lines *out, const char *s, size_t n)
{
	while (n) {
		const char *nl = memchr(s, '\n', n);
		size_t k = nl ? (size_t)(nl - s) : n;

		vec_push(out, ((struct text_line){ s, k }));
		k += nl != NULL;
		s += k;
		n -= k;
	}
}

static void put_lines(struct sbuf *b, char mark, const struct lines *v, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		sbuf_addc(b, mark);
		sbuf_add(b, v->v[i].s, v->v[i].n);
		sbuf_addc(b, '\n');
	}
}

/* Lines first..last of the source, and what edits from..to-1 make of them. */
static void put_change(struct sbuf *b, unsigned *added, unsigned *removed, const struct edits *v, uint32_t from,
		       uint32_t to, const struct source *src, unsigned first, unsigned last)
{
	struct sbuf before = {0}, after = {0};
	struct lines a = {0}, c = {0};
	unsigned line = first, column = 1;
	uint32_t head = 0, tail = 0;

	add_source(&before, src, first, 1, last + 1, 1);
	for (uint32_t i = from; i < to; i++) {
		add_source(&after, src, line, column, v->v[i]->line, v->v[i]->column);
		sbuf_adds(&after, v->v[i]->text);
		line = v->v[i]->end_line;
		column = v->v[i]->end_column;
	}
	add_source(&after, src, line, column, last + 1, 1);
	split(&a, sbuf_str(&before), before.n);
	split(&c, sbuf_str(&after), after.n);
	while (head < a.n && head < c.n && a.v[head].n == c.v[head].n && !memcmp(a.v[head].s, c.v[head].s, a.v[head].n))
		head++;
	while (tail < a.n - head && tail < c.n - head && a.v[a.n - 1 - tail].n == c.v[c.n - 1 - tail].n &&
	       !memcmp(a.v[a.n - 1 - tail].s, c.v[c.n - 1 - tail].s, a.v[a.n - 1 - tail].n))
		tail++;
	put_lines(b, ' ', &a, 0, head);
	put_lines(b, '-', &a, head, a.n - tail);
	put_lines(b, '+', &c, head, c.n - tail);
	put_lines(b, ' ', &a, a.n - tail, a.n);
	*removed += a.n - head - tail;
	*added += c.n - head - tail;
	vec_release(&a);
	vec_release(&c);
	sbuf_release(&before);
	sbuf_release(&after);
}

static void put_context(struct sbuf *b, const struct source *src, unsigned first, unsigned last)
{
	for (unsigned k = first; k <= last; k++) {
		size_t n = 0;
		const char *s = source_line(src, k, &n);

		sbuf_addc(b, ' ');
		sbuf_add(b, s ? s : "", n);
		sbuf_addc(b, '\n');
	}
}

/* Edits from..to-1 as one hunk; moved is by how much lines have moved before it. */
static void put_hunk(struct sbuf *b, int *moved, const struct edits *v, uint32_t from, uint32_t to,
		     const struct source *src)
{
	unsigned start = v->v[from]->line > CONTEXT ? v->v[from]->line - CONTEXT : 1;
	unsigned end = MIN(v->v[to - 1]->end_line + CONTEXT, src->lines.n), at = start, added = 0, removed = 0;
	struct sbuf body = {0};

	for (uint32_t i = from; i < to;) {
		unsigned first = v->v[i]->line, last = v->v[i]->end_line;
		uint32_t k = i + 1;

		while (k < to && v->v[k]->line <= last + 1)
			last = MAX(last, v->v[k++]->end_line);
		last = MIN(last, src->lines.n);
		put_context(&body, src, at, first - 1);
		put_change(&body, &added, &removed, v, i, k, src, first, last);
		at = last + 1;
		i = k;
	}
	put_context(&body, src, at, end);
	sbuf_printf(b, "@@ -%u,%u +%d,%u @@\n", start, end - start + 1, (int)start + *moved,
		    end - start + 1 + added - removed);
	sbuf_add(b, sbuf_str(&body), body.n);
	*moved += (int)added - (int)removed;
	sbuf_release(&body);
}

static bool put_file(struct sbuf *b, struct findings *fs, struct edits *v)
{
	const char *name = finding_path(fs, v->v[0]->file);
	const struct source *src = source_get(fs, v->v[0]->file);
	int moved = 0;

	if (!src)
		return false;
	qsort(v->v, v->n, sizeof(*v->v), by_position);
	if (!fit(v, src))
		return false;
	sbuf_printf(b, "--- %s%s\n+++ %s%s\n", name[0] == '/' ? "" : "a/", name, name[0] == '/' ? "" : "b/", name);
	for (uint32_t i = 0; i < v->n;) {
		uint32_t k = i + 1;

		while (k < v->n && v->v[k]->line <= v->v[k - 1]->end_line + 2 * CONTEXT)
			k++;
		put_hunk(b, &moved, v, i, k, src);
		i = k;
	}
	return true;
}

bool report__patch(struct sbuf *out, struct findings *fs, const struct finding *f)
{
	struct edits left = {0}, file = {0};
	struct sbuf b = {0};
	bool ok = f->edits.n > 0;

	for (uint32_t i = 0; i < f->edits.n; i++)
		vec_push(&left, &f->edits.v[i]);
	while (ok && left.n) {
		const char *name = left.v[0]->file;
		uint32_t kept = 0;

		vec_clear(&file);
		for (uint32_t i = 0; i < left.n; i++)
			if (str_eq(left.v[i]->file, name))
				vec_push(&file, left.v[i]);
			else
				left.v[kept++] = left.v[i];
		left.n = kept;
		ok = put_file(&b, fs, &file);
	}
	if (ok)
		sbuf_add(out, sbuf_str(&b), b.n);
	sbuf_release(&b);
	vec_release(&left);
	vec_release(&file);
	return ok;
}
