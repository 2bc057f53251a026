/*
 * exclude.c - files of which nothing is reported, though they are analysed: --exclude.
 *
 * A glob is compared with a file as it is shown, relative to the project; one that begins with a slash with the whole
 * path, also without symbolic links.  A finding is of the file in which its object is allocated (in the innermost function
 * that is no allocation wrapper), wherever that is lost: what a library makes and a program must release is reported where
 * the program calls the library, since that is where the allocation is then.  What is excluded is counted, so that no report
 * is silent about it.
 */
#include "base/diag.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/hash.h"
#include "finding/finding.h"
#include "finding/priv.h"

#include <stdlib.h>

#define MAP_NAME answers
#define MAP_KEY const char *
#define MAP_VAL bool
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct exclusion {
	struct answers files;		/* what was asked for, by name as given */
};

void findings_exclude(struct findings *fs, const char *const *globs, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		coverage_name(fs, &fs->coverage.excluded, str_starts(globs[i], "./") ? globs[i] + 2 : globs[i]);
	if (n && !fs->exclusion)
		fs->exclusion = xcalloc(1, sizeof(*fs->exclusion));
}

void exclusion_free(struct exclusion *x)
{
	if (x)
		answers_release(&x->files);
	free(x);
}

static bool ask(struct findings *fs, const char *file)
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
	*answer = ask(fs, file);
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
			diag_verbose("%s:%u: %s in %s(): excluded", finding_path(fs, f->alloc.file), f->alloc.line,
				     finding_kind_name(f->kind), f->alloc.function);
	}
	fs->coverage.findings_excluded = before - findings_count(fs);
}
