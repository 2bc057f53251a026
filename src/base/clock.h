/*
 * clock.h - seconds, for telling how long something took.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

static inline double clock__read(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double clock_now(void)
{
	return clock__read(CLOCK_MONOTONIC);
}

/* Of all threads of this process. */
static inline double clock_cpu(void)
{
	return clock__read(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
