// Objects of an arena die with it; none is freed alone.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena {
	char *mem;
	size_t used;
};

static void *arena_alloc(struct arena *a, size_t n)
{
	void *p = a->mem + a->used;

	a->used += (n + 15) & ~(size_t)15;
	return p;
}

static char *arena_strdup(struct arena *a, const char *s)
{
	char *p = arena_alloc(a, strlen(s) + 1);

	return strcpy(p, s);
}

static int f(const char *s)
{
	struct arena a = { malloc(256), 0 };
	char *x, *y;
	int n;

	if (!a.mem)
		return -1;
	x = arena_strdup(&a, s);
	y = arena_strdup(&a, "tail");
	n = (int)(strlen(x) + strlen(y));
	free(a.mem);
	return n;
}

int main(void)
{
	printf("%d %d\n", f("abc"), f(""));
	return 0;
}
