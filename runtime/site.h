/*
 * site.h - from a call of malloc to its allocation site.
 *
 * malloc.c takes a context (unwind.h) and asks for its site; a cache of each thread
 * (heap.h, struct chain) answers most calls without coming here.
 */
#ifndef RUNTIME_SITE_H
#define RUNTIME_SITE_H

#include "run.h"

struct heap_alt;

struct site {
	uint64_t hash;
	uint32_t index;		/* of its record in RUN_SITES; 0: no room was left */
	uint32_t n;		/* return addresses */
	/* Set while the site is made: its objects come from another allocator (heap.h).
	 * NULL: from the heap. */
	const struct heap_alt *alt;
	void *alt_data;
	_Atomic bool retired;	/* its code was unloaded: never found again */
	uintptr_t ra[RUN_FRAMES];
};

/* Taken to add sites, bins, modules, strings: whatever grows in the run file. */
extern struct lock site_lock;

/* Return addresses that make a site: 4, or what the environment says. */
extern unsigned site_depth;

/* Changes whenever sites are retired: caches of sites are then void. */
extern _Atomic unsigned site_epoch;

/* Called with site_lock held for every new site, before anybody sees it; may set
 * alt.  NULL: nobody is interested. */
extern void (*site_hook)(struct site *s);

/* Never NULL, except without memory at the very first call. */
struct site *site_find(const uintptr_t *ra, unsigned n);

/* The module record and the offset of an address, as a frame of runfile.h.  The
 * caller has site_lock. */
uint64_t site_frame(uintptr_t ra);

/* After code was unloaded: retires the sites in it. */
void site_unloaded(void);

#endif
