// Mappings fail with MAP_FAILED, not with null.
#include <stddef.h>
#include <sys/mman.h>

int mapped_ok(int fd, size_t n)
{
	char *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
	int c;

	if (p == MAP_FAILED)
		return -1;
	c = p[0];
	munmap(p, n);
	return c;
}

int mapped_bad(int fd, size_t n)
{
	char *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0); // LEAK(conditional)

	if (p == MAP_FAILED)
		return -1;
	if (p[0] != 'P')
		return -2;
	munmap(p, n);
	return 0;
}

char *mapped_for_caller_ok(int fd, size_t n)
{
	char *p = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}
