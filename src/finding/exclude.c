/*
 * exclude.c - files of which nothing is reported, though they are analysed: --exclude.
 *
 * A glob is compared with the name of a file as reports show that, relative to the project.  A glob that
 * begins with a slash is compared with the whole path, and also with the path without symbolic links.
 *
 * A finding belongs to the file in which its object is allocated (in the innermost function that is no
 * allocation wrapper), wherever the object is lost.  So an object that a library makes and the program must
 * release belongs to the file that calls the library.  What is excluded is counted: reports say how much
 * that is.
 *
 * needs: the globs, before the engines run.
 * gives: f->elsewhere of the findings, and their number in the coverage.
 */
#include "base/diag.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/hash.h"
#include "finding/finding.h"
#include "finding/priv.h"

#include <assert.h>
#include <stdlib.h>

#define MAP_NAME answers
#define MAP_KEY const char *
#define MAP_VAL bool
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct exclusion {
	struct answers files;		/* is it excluded? by name as given */
};

void findings_exclude(struct findings *fs, const char *const *globs, uint32_t n)
{
	assert(fs->v.n == 0 && !fs->coverage.known);
	for (uint32_t i = 0; i < n; i++) {
		const char *glob = str_starts(globs[i], "./") ? globs[i] + 2 : globs[i];

		coverage_name(fs, &fs->coverage.excluded, glob);
	}
	if (n && !fs->exclusion)
		fs->exclusion = xcalloc(1, sizeof(*fs->exclusion));
}

void exclusion_free(struct exclusion *x)
{
	if (x)
		answers_release(&x->files);
	free(x);
}

/* Does any of the globs fit the file? */
static bool fits_any(struct findings *fs, const char *file)
{
	const char *shown = source_shown(fs, file), *absolute = source_absolute(fs, file);
	const struct coverage_names *globs = &fs->coverage.excluded;
	char *real = NULL;
	bool fits = false;

	for (uint32_t i = 0; i < globs->n && !fits; i++) {
		const char *g = globs->v[i];

		fits = glob_fits(g, g[0] == '/' ? absolute : shown);
		if (fits || g[0] != '/')
			continue;
		if (!real && !(real = realpath(absolute, NULL)))
			real = xstrdup(absolute);
		fits = glob_fits(g, real);
	}
	free(real);
	return fits;
}

bool finding_is_excluded(struct findings *fs, const char *file)
{
	bool *answer, is_new;

	if (!fs->exclusion || !file || !file[0])
		return false;
	answer = answers_get(&fs->exclusion->files, file);
	if (answer)
		return *answer;
	answer = answers_put(&fs->exclusion->files, arena_strdup(&fs->arena, file), &is_new);
	assert(is_new);
	*answer = fits_any(fs, file);
	return *answer;
}

void findings_mark_excluded(struct findings *fs)
{
	unsigned before = findings_count(fs);

	for (uint32_t i = 0; fs->exclusion && i < fs->v.n; i++) {
		struct finding *f = fs->v.v[i];

		if (!finding_is_excluded(fs, f->alloc.file))
			continue;
		f->elsewhere = true;
		if (!f->suppressed && !f->in_baseline)
			diag_verbose("%s:%u: %s in %s(): excluded", finding_path(fs, f->alloc.file),
				     f->alloc.line, finding_kind_name(f->kind), f->alloc.function);
	}
	assert(findings_count(fs) <= before);
	fs->coverage.findings_excluded = before - findings_count(fs);
}
