/*
 * site_patch.c - the edits of a finding as a unified diff that `git apply` takes.
 *
 * The edits come from a file, and are applied to the sources at hand; edit/diff.c makes the
 * diff, as for plumb fix itself.  Edits that do not fit the sources (which have changed, or the
 * file of findings is hostile) give no diff at all: half a patch is worse than none.
 */
#include "report/priv.h"

#include "base/sbuf.h"
#include "edit/files.h"
#include "finding/source.h"

#include <assert.h>

VEC_TYPE(edits, const struct finding_edit *);

static int by_position(const void *pa, const void *pb)
{
	const struct finding_edit *a = *(const struct finding_edit *const *)pa;
	const struct finding_edit *b = *(const struct finding_edit *const *)pb;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return a < b ? -1 : a > b;	/* insertions at one place: in their order */
}

/* The offset of a place in the text; the column may be just behind the line's end, the line just
 * behind the last one.  False: there is no such place. */
static bool offset_of(uint32_t *out, const struct source *src, unsigned line, unsigned column)
{
	size_t n;

	if (line == src->lines.n + 1 && column == 1) {
		*out = (uint32_t)src->n;
		return true;
	}
	if (!line || !column || !source_line(src, line, &n) || column > n + 1)
		return false;
	*out = src->lines.v[line - 1] + column - 1;
	return true;
}

/* The text with its edits, which must be apart from each other.  False: they do not fit. */
static bool apply(struct fix_file *f, struct arena *arena, const struct edits *v, const struct source *src)
{
	struct sbuf text = {0};
	uint32_t done = 0;
	bool ok = true;

	for (uint32_t i = 0; ok && i < v->n; i++) {
		const struct finding_edit *e = v->v[i];
		struct fix_shift s = { .n = (uint32_t)strlen(e->text) };
		uint32_t end = 0;

		ok = offset_of(&s.old, src, e->line, e->column) &&
		     offset_of(&end, src, e->end_line, e->end_column) && s.old >= done && end >= s.old;
		if (!ok)
			break;
		assert(end <= src->n);
		sbuf_add(&text, src->text + done, s.old - done);
		s.at = (uint32_t)text.n;
		s.nold = end - s.old;
		sbuf_adds(&text, e->text);
		vec_push(&f->shifts, s);
		done = end;
	}
	if (ok) {
		sbuf_add(&text, src->text + done, src->n - done);
		f->text = arena_strdup(arena, sbuf_str(&text));
		f->n = (uint32_t)strlen(f->text);
		ok = f->n == text.n;	/* no NUL in it */
	}
	sbuf_release(&text);
	return ok;
}

static bool add_file(struct fix_files *out, struct arena *arena, struct findings *fs, struct edits *v)
{
	const struct source *src = source_get(fs, v->v[0]->file);
	struct fix_file f = { .path = v->v[0]->file };

	assert(v->n > 0);
	if (!src || !src->text)
		return false;
	qsort(v->v, v->n, sizeof(*v->v), by_position);
	f.old = src->text;
	f.nold = (uint32_t)src->n;
	if (!apply(&f, arena, v, src)) {
		vec_release(&f.shifts);
		return false;
	}
	vec_push(out, f);
	return true;
}

static const char *shown(void *ctx, const char *path)
{
	return finding_path(ctx, path);
}

bool report__patch(struct sbuf *out, struct findings *fs, const struct finding *f)
{
	struct edits left = {0}, file = {0};
	struct fix_files files = {0};
	struct arena arena;
	bool ok = f->edits.n > 0;

	arena_init(&arena);
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
		ok = add_file(&files, &arena, fs, &file);
	}
	if (ok)
		fix_diff(out, &files, shown, fs);
	fix_files_release(&files);
	arena_release(&arena);
	vec_release(&left);
	vec_release(&file);
	return ok;
}
