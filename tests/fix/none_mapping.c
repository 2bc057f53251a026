// Mappings fail with MAP_FAILED, and their size is told again when they are given back.
// LEAKS: 0
// EXPECT: fixed
// PATCH: ^\+.*munmap\(p, n\);
// PATCH: ^\+.*if \(mmap_result != MAP_FAILED\)
// PATCH: ^\+.*munmap\(mmap_result, 4096\);
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

static int first_letter(int fd, size_t n, int want)
{
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : MAP_NORESERVE), fd, 0);

	if (p == MAP_FAILED)
		return -1;
	p[0] = 'a';
	if (p[0] != want)
		return -2;
	munmap(p, n);
	return 0;
}

static int can_map(int prot)
{
	return mmap(NULL, 4096, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

/* Behind both, the one that is there and the one that is not. */
static int either(size_t n)
{
	char *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int there = 0;

	if (p != MAP_FAILED)
		there = p[0] == 0;
	printf("%d\n", there);
	return there;
}

int main(void)
{
	volatile size_t none = 0;

	printf("%d\n", first_letter(-1, 100, 'a'));
	printf("%d\n", first_letter(-1, 100, 'b'));
	printf("%d\n", first_letter(-1, none, 'b'));
	printf("%d\n", can_map(PROT_READ));
	printf("%d %d\n", either(10), either(none));
	return 0;
}
