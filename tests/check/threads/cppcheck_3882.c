// danmar/cppcheck 3882: an allocator that puts a header before what it returns, and a free that goes
// back to it.
#include <stdlib.h>

struct head {
	size_t n;
};

static void *head_alloc(size_t n)
{
	char *p = malloc(sizeof(struct head) + n);

	if (!p)
		return NULL;
	((struct head *)p)->n = n;
	return p + sizeof(struct head);
}

static void head_free(void *p)
{
	if (p)
		free((char *)p - sizeof(struct head));
}

void *handed_out_ok(void)
{
	return head_alloc(8);
}

int freed_ok(void)
{
	char *p = head_alloc(8);

	if (!p)
		return -1;
	p[0] = 1;
	head_free(p);
	return 0;
}

int forgotten_bad(int n)
{
	char *p = head_alloc(8); // LEAK(conditional)

	if (!p)
		return -1;
	if (n < 0)
		return n;
	head_free(p);
	return 0;
}
