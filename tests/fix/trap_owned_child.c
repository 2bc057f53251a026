// The destructor of the parent frees the child, once it is in there.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parent {
	char *child;
};

static void parent_free(struct parent *p)
{
	free(p->child);
	free(p);
}

static int build(const char *s, int attach)
{
	struct parent *p = calloc(1, sizeof *p);
	char *c = strdup(s);

	if (!p || !c)
		abort();
	if (attach)
		p->child = c;
	printf("%s %d\n", c, p->child != NULL);
	parent_free(p);
	return attach;
}

int main(void)
{
	build("a", 1);
	build("b", 0);
	return 0;
}
