/*
 * source.c - the source files that findings name, read once, by line.
 *
 * Files are read, not mapped: an editor that cuts a mapped file short would end
 * us by a signal.  Two names of one file share its text if they are the same in
 * normal form; a symbolic link makes a second copy, which is harmless.
 *
 * How a path is shown is decided here too, once for each name: relative to the
 * root if the file lies below the root.  The compiler takes the current directory
 * from $PWD, with the symbolic links that led there, and getcwd() gives it without
 * them.  So a file whose name is not below the root is looked for a second time by
 * its real name.  Paths that stay outside are shown as they are.
 */
#include "finding/source.h"

#include "base/file.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A file under one name. */
struct name {
	const char *shown;
	const char *absolute;
};

#define MAP_NAME namemap
#define MAP_KEY const char *
#define MAP_VAL struct name
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

#define MAP_NAME filesmap
#define MAP_KEY const char *
#define MAP_VAL struct source *
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct source_cache {
	struct namemap names;		/* by name as given */
	struct filesmap files;		/* by absolute name; all that were read */
};

struct source_cache *source_cache_new(void)
{
	return xcalloc(1, sizeof(struct source_cache));
}

void source_cache_free(struct source_cache *c)
{
	struct source **s;

	if (!c)
		return;
	for (uint32_t it = 0; filesmap_next(&c->files, &it, NULL, &s);) {
		free((*s)->text);
		vec_release(&(*s)->lines);
		free(*s);
	}
	filesmap_release(&c->files);
	namemap_release(&c->names);
	free(c);
}

/* ---- names ---- */

/* path below root, or NULL; the caller's, for free(). */
static char *below(const char *path, const char *root)
{
	char *r = path_relative(path, root);

	if (r[0] != '/')
		return r;
	free(r);
	return NULL;
}

/* The same by real names, symbolic links resolved. */
static char *really_below(const char *path, const char *root)
{
	char *p = realpath(path, NULL), *d = realpath(root, NULL), *r = NULL;

	if (p && d)
		r = below(p, d);
	free(p);
	free(d);
	return r;
}

static const struct name *name_of(struct findings *fs, const char *file)
{
	struct source_cache *c = fs->sources;
	struct name *n = namemap_get(&c->names, file);
	char *absolute, *shown;

	if (n)
		return n;
	assert(fs->root && fs->root[0] == '/');
	n = namemap_put(&c->names, arena_strdup(&fs->arena, file), NULL);
	absolute = path_absolute(file);
	shown = below(absolute, fs->root);
	if (!shown)
		shown = really_below(absolute, fs->root);
	if (!shown)
		shown = path_normal(file);
	n->absolute = arena_strdup(&fs->arena, absolute);
	n->shown = arena_strdup(&fs->arena, shown);
	free(absolute);
	free(shown);
	return n;
}

const char *source_shown(struct findings *fs, const char *file)
{
	return file && file[0] ? name_of(fs, file)->shown : "";
}

const char *source_absolute(struct findings *fs, const char *file)
{
	return file && file[0] ? name_of(fs, file)->absolute : "";
}

/* ---- text ---- */

static void find_lines(struct source *s)
{
	const char *p = s->text, *end = s->text + s->n, *nl;

	while (p < end) {
		vec_push(&s->lines, (uint32_t)(p - s->text));
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			break;
		p = nl + 1;
	}
}

/* Each line begins behind the end of the one before it; the last one is not empty. */
static void source_check(const struct source *s)
{
#ifdef PLUMB_DEBUG
	assert(s->text && s->n <= SOURCE_MAX && (s->lines.n > 0) == (s->n > 0));
	for (uint32_t i = 0; i < s->lines.n; i++) {
		assert(s->lines.v[i] < s->n);
		assert(i == 0 ? s->lines.v[i] == 0 : s->lines.v[i] > s->lines.v[i - 1]);
		assert(i == 0 || s->text[s->lines.v[i] - 1] == '\n');
	}
#endif
	(void)s;
}

static void load(struct source *s)
{
	struct stat st;

	/* Asked before opening: a pipe would keep us waiting for a writer. */
	if (stat(s->path, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > SOURCE_MAX)
		return;
	if (file_read(&s->text, &s->n, s->path) < 0) {
		s->text = NULL;		/* no message: the report names the place without its text */
		return;
	}
	if (s->n > SOURCE_MAX) {	/* it has grown meanwhile */
		free(s->text);
		s->text = NULL;
		return;
	}
	find_lines(s);
	source_check(s);
}

const struct source *source_get(struct findings *fs, const char *file)
{
	struct source **slot;
	const char *absolute;
	bool is_new;

	if (!file || !file[0])
		return NULL;
	absolute = name_of(fs, file)->absolute;
	slot = filesmap_put(&fs->sources->files, absolute, &is_new);
	if (is_new) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->path = absolute;
		load(*slot);
	}
	return (*slot)->text ? *slot : NULL;
}

const char *source_line(const struct source *s, unsigned line, size_t *n)
{
	size_t start, end;

	*n = 0;
	if (!s || line == 0 || line > s->lines.n)
		return NULL;
	assert(s->text);
	start = s->lines.v[line - 1];
	end = line < s->lines.n ? s->lines.v[line] : s->n;
	assert(start < end && end <= s->n);
	if (end > start && s->text[end - 1] == '\n')
		end--;
	if (end > start && s->text[end - 1] == '\r')
		end--;
	*n = MIN(end - start, (size_t)SOURCE_LINE_MAX);
	return s->text + start;
}
