/*
 * edit_origin.c - the source that a file is generated from.
 *
 * yacc, lex and others copy C code from their input and say so by #line.  A patch of what they
 * made would be lost; one of their input is what a person would write, if that is at hand: where
 * #line says, or, when the program was generated elsewhere, by that name beside the generated file.
 * All lines of the function must be the same in both, so that each place of one is a place of the
 * other; a file of another version is not taken.
 */
#include "edit/priv.h"

#include "base/file.h"

/* Are the lines of a part the same in the other text? */
static bool has_lines(const struct ast_file *f, uint32_t begin, uint32_t end, const char *text, size_t n)
{
	int64_t first = fix_line_at(f->lines.v, f->lines.n, begin);
	int64_t last = fix_line_at(f->lines.v, f->lines.n, end);
	uint32_t from = f->lines.v[first], to = lay_line_end(f, end);
	size_t at = text_line_start(text, n, first + f->delta);

	if (last < first || first + f->delta < 0 || at > n || n - at < to - from)
		return false;
	return memcmp(text + at, f->text + from, to - from) == 0 &&
	       (at + (to - from) == n || strchr("\r\n", text[at + (to - from)]));
}

const char *origin_find(const struct ast_file *f, uint32_t begin, uint32_t end, struct arena *arena)
{
	char *dir = path_dir(f->path), *beside = path_join(dir, path_base(f->shown));
	const char *names[] = { f->shown, beside }, *found = NULL;

	for (unsigned i = 0; i < 2 && !found; i++) {
		char *text = NULL;
		size_t n;

		if (!str_eq(names[i], f->path) && file_read(&text, &n, names[i]) >= 0 &&
		    n <= INT32_MAX && has_lines(f, begin, end, text, n))
			found = arena_strdup(arena, names[i]);
		free(text);
	}
	free(dir);
	free(beside);
	return found;
}
