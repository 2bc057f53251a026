// Two callees get the object: one keeps what a member holds before it is overwritten.
// LEAKS: 1
// KNOWN: `p->title` may be kept by prefer()
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct page {
	char *title;
	int n;
};

static const char *best;

static void count(int *n)
{
	++*n;
}

static void prefer(const struct page *p)
{
	if (!best || strlen(p->title) > strlen(best))
		best = p->title;
}

static void read_page(const char *const *w, int look)
{
	struct page *p = calloc(1, sizeof *p);

	if (!p)
		abort();
	for (; *w; w++) {
		count(&p->n);
		p->title = strdup(*w);
		if (look)
			prefer(p);
	}
	printf("%d %s\n", p->n, p->title);
	if (!look)
		free(p->title);
	free(p);
}

int main(void)
{
	static const char *const one[] = { "long title", NULL };
	static const char *const two[] = { "a", "b", NULL };

	read_page(one, 1);
	read_page(two, 0);
	puts(best);
	free((void *)best);
	return 0;
}
