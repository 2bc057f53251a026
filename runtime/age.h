/*
 * age.h - which pages are touched, and since when are the others not?
 */
#ifndef RUNTIME_AGE_H
#define RUNTIME_AGE_H

#include "pages.h"

/* Allocations of a thread between two looks at the clock. */
#define AGE_COUNTDOWN 256

/* Allocation time is kept in such units. */
#define AGE_ALLOCATIONS 256

extern struct lock age_lock;

/* A span is full or a large object: from now on it ages.  Again: no effect. */
void age_add(struct span *s);
/* A span is about to be freed. */
void age_remove(struct span *s);
/* Called every AGE_COUNTDOWN allocations of a thread (heap: its bins are in order) and
 * wherever the program is about to sleep: does what is due.  Safe in a signal handler,
 * unless heap is true. */
void age_look(bool heap);

/* A tick now, whether it is due or not. */
void age_tick(void);

/* Looks for touches now: the time until which what is inactive was not touched. */
uint64_t age_scan(void);

/* Sums up every so many ns instead of every second; too little counts as not said. */
void age_set_interval(uint64_t ns);
void age_start(void);
/* The process is about to give privileges up, or to change its root: what could not be
 * opened after that is opened now. */
void age_before_setuid(void);
/* The process is about to get its second thread. */
void age_before_thread(void);
/* The program changes these pages (their protection, say): they are never watched, and
 * are private if that can be had. */
void age_pin(const void *p, size_t n);
/* The process is about to have its system calls filtered: a last tick, and none after. */
void age_before_filter(void);
/* In a forked child. */
/* Right before fork, without a lock. */
void age_before_fork(void);
void age_fork_child(void);
/* A last look; at the end of the process. */
void age_final(void);

#endif
