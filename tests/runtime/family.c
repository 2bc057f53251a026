/*
 * family - each function of malloc's family: does it do its job, and what was
 * counted?  Looks into its own run file while it runs.  Exit code 0: all is right.
 */
#include "runfile.inc"

#include <errno.h>
#include <malloc.h>

static const struct run_header *page;
static int bad;

static void expect(const char *what, struct sums before, uint64_t allocations, uint64_t frees,
		   uint64_t resizes, uint64_t failures)
{
	struct sums s = run_sums(page);

	if (s.allocations - before.allocations == allocations && s.frees - before.frees == frees &&
	    s.resizes - before.resizes == resizes && s.failures - before.failures == failures)
		return;
	dprintf(1, "%s: counted %lu allocations, %lu frees, %lu resizes, %lu failures\n", what,
		s.allocations - before.allocations, s.frees - before.frees,
		s.resizes - before.resizes, s.failures - before.failures);
	bad = 1;
}

static void require(const char *what, int ok)
{
	if (!ok) {
		dprintf(1, "%s\n", what);
		bad = 1;
	}
}

static int aligned(const void *p, size_t align)
{
	return p != NULL && (uintptr_t)p % align == 0;
}

static void test_plain(void)
{
	struct sums s = run_sums(page);
	char *p = malloc(100), *q = calloc(10, 10);
	size_t size = malloc_usable_size(p) + malloc_usable_size(q);

	expect("malloc, calloc", s, 2, 0, 0, 0);
	require("bytes", run_sums(page).bytes_allocated - s.bytes_allocated == size);
	for (int i = 0; i < 100; i++)
		require("calloc gives zeros", q[i] == 0);
	free(p);
	free(q);
	free(NULL);
	expect("free", s, 2, 2, 0, 0);
	require("bytes freed", run_sums(page).bytes_freed - s.bytes_freed == size);
	require("usable size of nothing", malloc_usable_size(NULL) == 0);
}

static void test_realloc(void)
{
	struct sums s = run_sums(page);
	volatile size_t huge = SIZE_MAX / 2;
	char *p = realloc(NULL, 10), *q;

	expect("realloc of NULL", s, 1, 0, 0, 0);
	memset(p, 'x', 10);
	p = realloc(p, 100000);
	expect("realloc that moves", s, 2, 1, 1, 0);
	require("realloc keeps the contents", p[0] == 'x' && p[9] == 'x');
	p = reallocarray(p, 10, 20);
	expect("reallocarray", s, 3, 2, 2, 0);
	p = realloc(p, 0);
	expect("realloc to nothing", s, 3, 3, 2, 0);
	require("realloc to nothing frees", p == NULL);
	s = run_sums(page);
	errno = 0;
	require("reallocarray overflow", reallocarray(NULL, huge, 3) == NULL);
	require("reallocarray ENOMEM", errno == ENOMEM);
	require("live bytes", run_sums(page).bytes_allocated == s.bytes_allocated);
	p = malloc(100);
	s = run_sums(page);
	q = realloc(p, 101);
	require("realloc in place", q == p);
	expect("realloc in place", s, 0, 0, 1, 0);
	free(q);
}

static void test_aligned(void)
{
	struct sums s = run_sums(page);
	void *p[5] = { NULL };

	p[0] = memalign(64, 10);
	p[1] = aligned_alloc(256, 512);
	require("posix_memalign", posix_memalign(&p[2], 1024, 10) == 0);
	p[3] = valloc(10);
	p[4] = pvalloc(10);
	expect("aligned", s, 5, 0, 0, 0);
	require("memalign 64", aligned(p[0], 64));
	require("aligned_alloc 256", aligned(p[1], 256));
	require("posix_memalign 1024", aligned(p[2], 1024));
	require("valloc", aligned(p[3], 4096));
	require("pvalloc", aligned(p[4], 4096));
	for (int i = 0; i < 5; i++)
		free(p[i]);
	expect("aligned, freed", s, 5, 5, 0, 0);
	require("posix_memalign of 3", posix_memalign(&p[0], 3, 10) == EINVAL);
	expect("posix_memalign of 3", s, 5, 5, 0, 1);
}

static void test_failure(void)
{
	struct sums s = run_sums(page);
	volatile size_t huge = SIZE_MAX / 2;
	char *p = malloc(10), *q;

	errno = 0;
	require("malloc of too much", malloc(huge) == NULL && errno == ENOMEM);
	errno = 0;
	require("calloc overflow", calloc(huge, 4) == NULL && errno == ENOMEM);
	q = realloc(p, huge);
	require("realloc of too much", q == NULL);
	expect("failures", s, 1, 0, 1, 3);
	free(p);
	expect("the old block is still there", s, 1, 1, 1, 3);
}

int main(void)
{
	page = run_map(getenv("PLUMB_RUN_FILE"));
	test_plain();
	test_realloc();
	test_aligned();
	test_failure();
	return bad;
}
