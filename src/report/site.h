/*
 * site.h - what all parts of plumb know about an allocation, put together.
 *
 *	struct sites t;
 *	sites_init(&t, &findings);
 *	sites_add_run(&t, run);  sites_add_trained(&t, trained, "server.bounds");
 *	sites_merge(&t);
 *	sites_write_html(&t, f);
 *
 * A site is a line of source on which something is allocated, or an address where no
 * line is known.  Three parts say something of a site: findings (plumb check, plumb fix), sites
 * of runs (plumb watch) and trained sites (plumb train).  Each part may have several entries
 * for a site, from several calling contexts.
 */
#ifndef REPORT_SITE_H
#define REPORT_SITE_H

#include "finding/finding.h"
#include "run/trained.h"
#include "run/watch.h"

#include <stdio.h>

struct site_seen {		/* in a run */
	const struct watch_run *run;
	const struct watch_site *at;
};

struct site_bound {		/* by training */
	const struct trained *by;
	const struct trained_site *at;
	const char *file;	/* of bounds, as the user named it; NULL if plumb run cannot take it */
};

enum {	/* what is said of a site */
	SITE_FOUND = 1,		/* a finding that counts */
	SITE_LEAK = 2,		/* a leak in some run */
	SITE_BLOAT = 4,		/* bloat in some run, and no leak */
	SITE_TRAINED_LEAK = 8,	/* leaked in training */
	SITE_BOUNDED = 16,	/* such a leak with a stable bound: the program can run for ever */
	SITE_PATCH = 32,	/* plumb fix has a patch */
	SITE_REFUSED = 64,	/* plumb fix has looked, and has none */
};

struct site {
	char id[17];		/* of file and line, or of module and offset */
	unsigned rank;		/* from 1; by sites_merge() */
	unsigned order;		/* by file and line */
	unsigned says;		/* SITE_* */

	const char *file;	/* "" if not known */
	const char *function;	/* "" if not known */
	const char *module;	/* where line is 0: the module and ... */
	uint64_t offset;
	unsigned line;

	VEC(const struct finding *) findings;
	VEC(struct site_seen) seen;
	VEC(struct site_bound) bounds;

	uint64_t stale_bytes;	/* the most of all runs */
	double staleness, drag;
	uint64_t trained_bytes;

	uint32_t next;		/* with the same line, plus 1; 0: none.  Until sites_merge() sorts */
};

struct sites_bounds {
	struct trained *t;
	const char *file;
};

struct sites {
	struct findings *fs;
	VEC(struct watch_run *) runs;
	VEC(struct sites_bounds) trained;
	VEC(struct site) v;	/* after sites_merge(): by rank */
	struct site_lines *lines;
};

void sites_init(struct sites *t, struct findings *fs);
/* Runs and trained data are released with it; fs is the caller's. */
void sites_release(struct sites *t);
void sites_add_run(struct sites *t, struct watch_run *r);
void sites_add_trained(struct sites *t, struct trained *x, const char *file);
/* Once, after all were added. */
void sites_merge(struct sites *t);
/* After sites_merge(): asserts that ranks, ids and what is said of each site agree. */
void sites_check(const struct sites *t);

unsigned sites_count(const struct sites *t, unsigned says);	/* sites of which any of these is said */
#define SITE_LEAKS (SITE_FOUND | SITE_LEAK | SITE_TRAINED_LEAK)

/* The best trained bound of a site: stable ones first, then the largest m; NULL if it has none. */
const struct site_bound *site_best_bound(const struct site *s);

/* Writes the page to f.  Negative on a write error. */
int sites_write_html(struct sites *t, FILE *f);

#endif
