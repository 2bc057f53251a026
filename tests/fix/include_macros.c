// What a source needs of its headers is asked for by macros: of their own, by names that they make, with attributes.
// LEAKS: 3
// PATCH: ^\+.*free\(p\);
// PATCH: ^\+.*fclose\(f\);
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <sys/wait.h>

LIST_HEAD(list, node);

struct node {
	LIST_ENTRY(node) link;
	int64_t n;
};

static int64_t sum(struct list *l)
{
	struct node *x;
	int64_t n = INT64_C(0);

	LIST_FOREACH(x, l, link)
		n += x->n;
	return n;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int names(int n)
{
	char *p = strndupa("abc", 2), *q;

	assert(p[0] == 'a');
	p = strdup(p);
	if (n > CHAR_BIT && S_ISREG(0100644) && WIFEXITED(0))
		return errno == EINTR ? -1 : __LINE__ > 0;
	q = p;
	qsort(&q, 1, sizeof(q), by_text);
	printf("%s %" PRId64 "\n", q, (int64_t)n);
	free(p);
	return 0;
}

static int reads(const char *path)
{
	FILE *f = fopen(path, "r");
	int c;

	if (!f)
		return EOF;
	if ((c = getc(f)) == EOF)
		return -2;
	fclose(f);
	return c >= 0;
}

int main(void)
{
	struct list l = LIST_HEAD_INITIALIZER(l);
	struct node a = { .n = 3 };

	LIST_INSERT_HEAD(&l, &a, link);
	printf("%" PRId64 " %d %d %d\n", sum(&l), names(1), names(9), reads("/dev/null"));
	return 0;
}
