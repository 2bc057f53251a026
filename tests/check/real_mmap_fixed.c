/* What mmap() and mremap() put to a place that the caller names is no new object. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

/* The place is the caller's: nothing new is there to be given back. */
bool fixed_ok(void *place, size_t n)
{
	return mmap(place, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

bool anywhere_bad(size_t n)
{
	return mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;	// LEAK(never-freed)
}

/* MAP_FIXED is set either way. */
bool fixed_choice_ok(void *place, size_t n, int fd)
{
	return mmap(place, n, PROT_READ, MAP_FIXED | MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : MAP_NORESERVE), fd,	// FP(vfg,all)
		    0) != MAP_FAILED;
}

bool anywhere_choice_bad(size_t n, int fd)
{
	return mmap(NULL, n, PROT_READ, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : MAP_NORESERVE), fd, 0) !=	// LEAK(never-freed)
	       MAP_FAILED;
}

/* What moves to a place that is known is still reached by that. */
bool moved_ok(void *to, size_t n)
{
	void *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	if (mremap(p, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
		munmap(p, n);
		return false;
	}
	return true;
}

bool moved_bad(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	if (mremap(p, n, 2 * n, MREMAP_MAYMOVE) == MAP_FAILED) {	// LEAK(never-freed)
		munmap(p, n);
		return false;
	}
	return true;
}
