/*
 * trained.h - the results of training, with names: for reports.
 *
 * Read from a bounds file, which is symbolised then, or from the output of `plumb bounds
 * --format json`.
 */
#ifndef RUN_TRAINED_H
#define RUN_TRAINED_H

#include "run/bounds.h"
#include "run/watch.h"

struct trained_site {
	struct bounds_site counts;	/* without its frames */
	struct watch_frames frames;	/* innermost first, calls that were inlined included */
	uint32_t at;			/* the first of them that is no wrapper; 0 if all are */
};

struct trained {
	struct bounds b;		/* program and runs; no sites */
	VEC(struct trained_site) sites;
};

/* top is a JSON object with "schema": "plumb-bounds/1" of either form; relative names of files
 * are taken to be below root.  Negative: it is damaged, and error_last() says where. */
int trained_read(struct trained **out, const struct json_t *top, const char *root);
void trained_free(struct trained *t);
void trained_mark_wrappers(struct trained *t, const struct model_set *models);

#endif
