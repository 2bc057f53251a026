// What munmap has to be given is not known any more, or never was at this place.
// LEAKS: 0
// EXPECT: refused
// REFUSED: what else munmap\(\) has to be given is not at hand
// NEVER: munmap
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

static size_t page = 4096;

static int size_changed(size_t n)
{
	char *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -1;
	for (n = 0; n < 3 && !p[n]; n++)
		;
	return (int)n;
}

static int size_global(void)
{
	char *p = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	page += 4096;
	return p != MAP_FAILED && p[0] == 0;
}

static char *map(int pages)
{
	char *p = mmap(NULL, (size_t)pages * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int by_wrapper(void)
{
	char *p = map(3);

	return p && p[0] == 0;
}

int main(void)
{
	printf("%d %d %d %d\n", size_changed(100), size_global(), by_wrapper(), page > 4096);
	return 0;
}
