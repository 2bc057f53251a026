/*
 * focus.c - which findings concern the files that the user named?
 *
 * Those that allocate there, that lose the object there, or whose path passes there: a change of a
 * file may concern others, too.  The rest is marked first, and removed when nothing is compared
 * with it any more (plumb fix asks whether an edit brings a finding that was not there before).
 * Ids and numbers are those of the whole program.
 */
#include "base/fileset.h"
#include "base/hash.h"
#include "finding/finding.h"

#include <assert.h>

/* Is the file one of those that the user named?  0: not asked yet. */
#define MAP_NAME answers
#define MAP_KEY const char *
#define MAP_VAL char
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

enum { IS_IN = 1, IS_OUT };

static bool is_in(struct answers *known, const struct fileset *files, const struct finding_loc *at)
{
	char *answer;

	if (!at->file || !at->file[0])
		return false;
	answer = answers_put(known, at->file, NULL);
	if (!*answer)
		*answer = fileset_has(files, at->file) ? IS_IN : IS_OUT;
	return *answer == IS_IN;
}

static bool concerns(struct answers *known, const struct fileset *files, const struct finding *f)
{
	if (is_in(known, files, &f->alloc) || is_in(known, files, &f->leak))
		return true;
	for (uint32_t i = 0; i < f->path.n; i++)
		if (is_in(known, files, &f->path.v[i].at))
			return true;
	return false;
}

unsigned findings_focus(struct findings *fs, const struct fileset *files)
{
	struct answers known = {0};
	unsigned before = findings_count(fs);

	for (uint32_t i = 0; files->v.n && i < fs->v.n; i++)
		fs->v.v[i]->elsewhere |= !concerns(&known, files, fs->v.v[i]);
	answers_release(&known);
	assert(findings_count(fs) <= before);
	return before - findings_count(fs);
}

void findings_drop_elsewhere(struct findings *fs)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < fs->v.n; i++) {
		struct finding *f = fs->v.v[i];

		if (f->elsewhere) {
			vec_release(&f->path);
			vec_release(&f->edits);
		} else {
			fs->v.v[kept++] = f;
		}
	}
	fs->v.n = kept;
}
