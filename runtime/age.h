/*
 * age.h - which pages are touched, and since when are the others not?
 */
#ifndef RUNTIME_AGE_H
#define RUNTIME_AGE_H

#include "pages.h"

/* Allocations of a thread between two looks at the clock. */
#define AGE_COUNTDOWN 256

extern struct lock age_lock;

/* A span is full or a large object: from now on it ages.  Again: no effect. */
void age_add(struct span *s);
/* A span is about to be freed. */
void age_remove(struct span *s);
/* May new objects be put on this span's pages?  Not if it is known to be stale. */
bool age_reusable(const struct span *s);

/* Called every AGE_COUNTDOWN allocations of a thread and wherever the program is
 * about to sleep: does what is due. */
void age_look(void);
/* A tick now, whatever the clock says; at the end of the process. */
void age_final(void);

#endif
