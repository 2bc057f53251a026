// What is behind a header is behind it in wrappers of its maker, too: plain free() would be given what malloc() never returned.
// LEAKS: 3
// PATCH: ^\+.*put\(k\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct head {
	size_t size;
	unsigned char canary[16];
};

static void *get(size_t n)
{
	struct head *h = malloc(sizeof(struct head) + n);

	if (!h)
		exit(1);
	memset(h, 0, sizeof(struct head) + n);
	h->size = n;
	return h + 1;
}

static void put(void *p)
{
	if (p)
		free((struct head *)p - 1);
}

static char *copy(const char *s)
{
	char *p;

	if (!s)
		return NULL;
	p = get(strlen(s) + 1);
	strcpy(p, s);
	return p;
}

static char *copy_twice(const char *s)
{
	char *p = copy(s), *q = copy(p);

	put(p);
	return q;
}

static int early(const char *s)
{
	char *k = copy(s);

	if (strlen(k) == 3)
		return 1;
	printf("%s\n", k);
	put(k);
	return 0;
}

static int never(const char *s)
{
	char *k = copy(s);
	int n = (int)strlen(k);

	return n;
}

static int twice(const char *s)
{
	char *k = copy_twice(s);
	int n = (int)strlen(k);

	return n;
}

int main(void)
{
	char *z = copy_twice("z");

	put(z);
	printf("%d %d %d %d\n", early("abc"), early("ab"), never("abcd"), twice("abcde"));
	return 0;
}
