// Pointers that may be -1, fixed places, scanned words that are there on some ways only.
// LEAKS: 0
// EXPECT: nothing
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static char *end_mark(char *p) { return p ? p : (char *)-1; }

/* -1 is no object, and no null either. */
static int marked(char *s)
{
	char *p = end_mark(s), *q = NULL;

	if (p == (char *)-1) {
		q = malloc(4);
		if (!q)
			return -1;
		q[0] = 'x';
		p = q;
	}
	putchar(p[0]);
	free(q);
	return 0;
}

static int again(size_t n)
{
	char *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *q;

	if (p == MAP_FAILED)
		return -1;
	q = mmap(p, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (q == MAP_FAILED) {
		munmap(p, n);
		return -2;
	}
	q[0] = 1;
	munmap(p, n);
	return 0;
}

static int pair(const char *s)
{
	char *key, *value;
	int n = sscanf(s, "%m[^=]=%ms", &key, &value);

	if (n >= 1)
		free(key);
	if (n == 2)
		free(value);
	return n;
}

int main(void)
{
	char s[] = "s";

	marked(s);
	marked(NULL);
	printf("%d %d %d %d\n", again(100), pair("a=b"), pair("a"), pair("=a"));
	return 0;
}
