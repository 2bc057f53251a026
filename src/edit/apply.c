/*
 * apply.c - edited texts in memory; inplace.c puts them on the disk.
 */
#include "edit/priv.h"

#include "base/error.h"
#include "base/file.h"

#include <stdlib.h>

static void apply_file(struct fix_files *out, struct arena *arena, const struct edit *xs, uint32_t n)
{
	const struct ast_file *f = xs->file;
	struct fix_file *x = vec_add(out, 1);
	struct sbuf b = {0};
	uint32_t at = 0;

	x->path = arena_strdup(arena, f->path);
	x->shown = f->shown ? arena_strdup(arena, f->shown) : NULL;
	x->origin = f->origin ? arena_strdup(arena, f->origin) : NULL;
	x->delta = f->delta;
	x->old = arena_copy(arena, f->text, (size_t)f->n + 1);
	x->nold = f->n;
	for (uint32_t i = 0; i < n; i++) {
		struct fix_shift s = { .n = (uint32_t)strlen(xs[i].text), .old = xs[i].begin,
				       .nold = xs[i].end - xs[i].begin };

		assert(at <= xs[i].begin && xs[i].begin <= xs[i].end && xs[i].end <= f->n);
		sbuf_add(&b, f->text + at, xs[i].begin - at);
		s.at = (uint32_t)b.n;
		sbuf_adds(&b, xs[i].text);
		vec_push(&x->shifts, s);
		at = xs[i].end;
	}
	sbuf_add(&b, f->text + at, f->n - at);
	x->text = arena_copy(arena, sbuf_str(&b), b.n + 1);
	x->n = (uint32_t)b.n;
	sbuf_release(&b);
}

void apply_edits(struct fix_files *out, struct arena *arena, const struct edits *xs)
{
	for (uint32_t i = 0, k; i < xs->n; i = k) {
		for (k = i; k < xs->n && xs->v[k].file == xs->v[i].file; k++)
			;
		apply_file(out, arena, &xs->v[i], k - i);
	}
}

static bool is_plain(const char *text, size_t n)
{
	return !memchr(text, '#', n) && !memmem(text, n, "//", 2) &&
	       !memmem(text, n, "\\\n", 2) && !memmem(text, n, "\\\r", 2);
}

/* May what was inserted stand in one line with what is before and behind it there? */
static bool is_joinable(const struct fix_file *f, const struct fix_shift *s)
{
	const char *line = memrchr(f->text, '\n', s->at), *behind = f->text + s->at + s->n;

	while (*behind == ' ' || *behind == '\t')
		behind++;
	line = line ? line + 1 : f->text;
	return *behind != '#' && is_plain(line, (size_t)(f->text + s->at + s->n - line));
}

void fix_files_keep_lines(struct fix_files *fs)
{
	for (uint32_t i = 0; i < fs->n; i++)
		for (uint32_t k = 0; k < fs->v[i].shifts.n; k++) {
			const struct fix_shift *s = &fs->v[i].shifts.v[k];
			char *text = (char *)fs->v[i].text + s->at;
			size_t keep = text_lines(fs->v[i].old + s->old, s->nold);

			assert(s->at + s->n <= fs->v[i].n && s->old + s->nold <= fs->v[i].nold);
			if (!is_joinable(&fs->v[i], s))
				continue;
			for (uint32_t c = 0; c < s->n; c++)
				if (text[c] == '\n' && !keep)
					text[c] = ' ';
				else
					keep -= text[c] == '\n';
		}
}

static int to_origin(struct fix_file *f, struct arena *arena)
{
	struct sbuf b = {0};
	char *text = NULL;
	size_t n, at = 0;
	int ret = file_read(&text, &n, f->origin);

	for (uint32_t i = 0; ret >= 0 && i < f->shifts.n; i++) {
		struct fix_shift *s = &f->shifts.v[i];
		uint32_t start = s->old;
		int64_t line;
		size_t to;

		while (start && f->old[start - 1] != '\n')
			start--;
		line = (int64_t)text_lines(f->old, start) + f->delta;
		to = MIN(text_line_start(text, n, line), n) + (size_t)(s->old - start);
		if (to < at || to + s->nold > n || memcmp(text + to, f->old + s->old, s->nold) != 0) {
			ret = error_set("%s: the file has changed meanwhile", f->origin);
			break;
		}
		sbuf_add(&b, text + at, to - at);
		at = to + s->nold;
		sbuf_add(&b, f->text + s->at, s->n);
		s->old = (uint32_t)to;
		s->at = (uint32_t)(b.n - s->n);
	}
	if (ret >= 0) {
		sbuf_add(&b, text + at, n - at);
		f->path = f->origin;
		f->old = arena_copy(arena, text, n + 1);
		f->nold = (uint32_t)n;
		f->text = arena_copy(arena, sbuf_str(&b), b.n + 1);
		f->n = (uint32_t)b.n;
	}
	free(text);
	sbuf_release(&b);
	return ret;
}

int fix_files_to_origins(struct fix_files *fs, struct arena *arena)
{
	for (uint32_t i = 0; i < fs->n; i++)
		if (fs->v[i].origin && to_origin(&fs->v[i], arena) < 0)
			return -1;
	return 0;
}

void fix_files_release(struct fix_files *fs)
{
	for (uint32_t i = 0; i < fs->n; i++) {
		vec_release(&fs->v[i].shifts);
		vec_release(&fs->v[i].lines);
		vec_release(&fs->v[i].old_lines);
	}
	vec_release(fs);
}

bool fix_file_back(struct fix_file *f, uint32_t *line, uint32_t *column)
{
	int64_t here = *line - f->delta - 1;
	bool inserted = false;
	uint32_t at, old;

	if (!f->lines.n) {
		fix_line_starts(&f->lines, f->text, f->n);
		fix_line_starts(&f->old_lines, f->old, f->nold);
	}
	if (here < 0 || here >= f->lines.n)
		return false;
	at = f->lines.v[here] + (*column ? *column - 1 : 0);
	old = at;
	for (uint32_t i = 0; i < f->shifts.n; i++) {
		const struct fix_shift *s = &f->shifts.v[i];

		if (s->at + s->n <= at)
			old = at - (s->at + s->n) + s->old + s->nold;
		else if (s->at <= at)
			old = s->old + s->nold;
		inserted |= s->at <= at && at < s->at + s->n;
	}
	old = MIN(old, f->nold);
	here = fix_line_at(f->old_lines.v, f->old_lines.n, old);
	*line = (uint32_t)(here + f->delta + 1);
	if (*column)
		*column = old - f->old_lines.v[here] + 1;
	return inserted;
}
