/*
 * cover.h - the class of each allocation, from what both engines say.
 */
#ifndef CHECK_COVER_H
#define CHECK_COVER_H

#include "path/path.h"
#include "vfg/vfg.h"

#include <stdio.h>

struct cover_from {
	const struct pta *pta;
	bool gave_up;			/* the points-to sets are incomplete */
	const struct vfg *vfg;		/* NULL: this engine was not asked */
	struct path *path;		/* ditto */
	uint32_t slice_limit;
	FILE *list;			/* gets a line for each allocation; or NULL */
};

/* After both engines: fills fs->coverage.  --verbose lists what was not judged. */
void cover_program(struct findings *fs, const struct cover_from *from);

#endif
