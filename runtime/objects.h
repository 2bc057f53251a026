/*
 * objects.h - what the library knows of single objects.  Exported, for tests and for
 * programs that want to look at their own heap.
 */
#ifndef RUNTIME_OBJECTS_H
#define RUNTIME_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

/* Looks for touches now.  The time, ns of CLOCK_MONOTONIC, until which what is stale
 * was not touched. */
uint64_t plumb_scan(void);

/* For tests that must not depend on how fast a machine is: takes the library's clock
 * from the kernel.  It goes ns further, the library does what it would do about then,
 * and the clock stands still until the next call, while the program works.  What the
 * clock shows then. */
uint64_t plumb_step(uint64_t ns);

/* Calls f for every live object, with its site's index in the run file and since when
 * (ns of CLOCK_MONOTONIC) it is known to be untouched, or 0 if it is not.  f must not
 * allocate. */
void plumb_objects(void (*f)(void *p, size_t n, uint32_t site, uint64_t since, void *arg),
		   void *arg);

#endif
