// Objects exchanged between owners.
#include <stdlib.h>
#include <string.h>

struct buf { char *s; size_t n; };

static void buf_swap(struct buf *a, struct buf *b)
{
	struct buf t = *a;

	*a = *b;
	*b = t;
}

int swapped_ok(void)
{
	struct buf a = { malloc(4), 4 }, b = { malloc(8), 8 };

	buf_swap(&a, &b);
	free(a.s);
	free(b.s);
	return 0;
}

int swapped_bad(void)
{
	struct buf a = { malloc(4), 4 }, b = { malloc(8), 8 }; // LEAK(never-freed) one of the two

	buf_swap(&a, &b);
	free(b.s);
	return (int)a.n;
}

int double_buffer_ok(int rounds)
{
	int *cur = calloc(8, sizeof(*cur)), *next = calloc(8, sizeof(*next)), *t;

	if (!cur || !next) {
		free(cur);
		free(next);
		return -1;
	}
	while (rounds-- > 0) {
		next[0] = cur[0] + 1;
		t = cur;
		cur = next;
		next = t;
	}
	free(cur);
	free(next);
	return 0;
}
