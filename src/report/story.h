/*
 * story.h - a finding as people read it, in all formats alike.
 *
 * step	one sentence with a place.  The steps of a finding's path, and where the
 *	path leaves them out, the allocation before them and the leak after them.
 * mark	the part of a source line to which a step belongs
 * block	an excerpt of one function: lines in ascending order, each once, with
 *	their marks; a gap between two lines is left out or, if short, shown
 */
#ifndef REPORT_STORY_H
#define REPORT_STORY_H

#include "base/sbuf.h"
#include "finding/finding.h"
#include "report/span.h"

enum story_role { STORY_ALLOC, STORY_STEP, STORY_LEAK };

struct story_step {
	struct finding_loc at;	/* has a place if the finding has one */
	const char *message;
	enum story_role role;
};

struct story_mark {
	unsigned step;		/* number, from 1 */
	enum story_role role;
	const char *message;
	struct span span;
};

struct story_line {
	unsigned number;	/* 0 if not known */
	const char *text;	/* NULL: no source; not NUL-terminated */
	size_t n;
	bool gap;		/* lines before it are left out */
	VEC(struct story_mark) marks;
};

struct story_block {
	const char *file;	/* as shown */
	const char *function;	/* "" if not known */
	unsigned line;		/* of its first step */
	VEC(struct story_line) lines;
};

struct story {
	VEC(struct story_step) steps;
	VEC(struct story_block) blocks;
};

/* After findings_finish().  Lives no longer than fs. */
void story_init(struct story *s, struct findings *fs, const struct finding *f);
void story_release(struct story *s);
/* Asserts that lines ascend, that marks lie in their lines, and that each step has one mark. */
void story_check(const struct story *s);

/* ---- sentences (words.c) ---- */

/* "memory allocated by malloc is not freed when `n < 0`", with quote for `. */
void story_headline(struct sbuf *b, const struct finding *f, char quote);
/* "leak", "double free": the kind of error in the headline. */
const char *story_label(const struct finding *f);
/* The sentences at the allocation and at the leak if no step is there.  In fs->arena. */
const char *story_alloc_message(struct findings *fs, const struct finding *f);
const char *story_leak_message(struct findings *fs, const struct finding *f);
/* "3 leaks", "1 leak and 2 other errors", "no leaks", "no new leaks"; of those that
 * count. */
void story_count(struct sbuf *b, const struct findings *fs);
/* "in 12 units (1 suppressed, 2 in baseline)" */
void story_scope(struct sbuf *b, const struct findings *fs);
/* "2,117 allocations, of them 1,104 judged, 924 only stored, 89 cut; 2 units are not C": follows
 * every "no leaks". */
void story_coverage(struct sbuf *b, const struct findings *fs);
/* A heading: the count, and with "no leaks" that not everything was judged, if that is so. */
void story_title(struct sbuf *b, const struct findings *fs);
/* "3 leaks in 12 units (1 suppressed): 40 allocations, of them 30 judged, 8 only stored, 2 cut;
 * 1 unit could not be analysed", without its name; "no leaks found: all 12 allocations judged".
 * Never sounds clean if a unit failed or none was analysed. */
void story_summary(struct sbuf *b, const struct findings *fs);
/* "1 unit", "3 units" */
void story_number(struct sbuf *b, unsigned n, const char *what);

#endif
