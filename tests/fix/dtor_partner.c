// A constructor with its partner: plain free would lose the inside.
// LEAKS: 4
// PATCH: ^\+.*pool_free\(pool\);
// NEVER: ^\+.*[^_]free\(pool\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool {
	char *mem;
	size_t used, size;
};

static struct pool *pool_new(size_t size)
{
	struct pool *p = malloc(sizeof *p);

	if (!p)
		return NULL;
	p->mem = calloc(1, size);
	if (!p->mem) {
		free(p);
		return NULL;
	}
	p->used = 0;
	p->size = size;
	return p;
}

static void *pool_take(struct pool *p, size_t n)
{
	void *r = p->mem + p->used;

	if (p->size - p->used < n)
		return NULL;
	p->used += n;
	return r;
}

static void pool_free(struct pool *p)
{
	free(p->mem);
	free(p);
}

static int work(int n, int abandon)
{
	struct pool *pool = pool_new(64);
	int *v;

	if (!pool)
		return -1;
	v = pool_take(pool, n * sizeof *v);
	if (!v)
		return -2;
	for (int i = 0; i < n; i++)
		v[i] = i;
	n = v[n - 1];
	if (abandon)
		return n + 100;
	pool_free(pool);
	return n;
}

int main(void)
{
	printf("%d %d %d\n", work(5, 0), work(50, 0), work(3, 1));
	return 0;
}
