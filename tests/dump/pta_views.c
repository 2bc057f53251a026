// RUN: plumb dump pta %s
// Memory that comes from a generic allocator has no type: each struct that it is used as has its own
// layout in it, and what is stored in one is not found in another.
#include <stdlib.h>

struct name { struct name *next; char *text; };
struct pair { int *left; int *right; };

static int i;
void *stock;

static void fill(void)
{
	stock = malloc(64);
}

void names(void)
{
	struct name *n = stock;

	n->text = "text";
	n->next = n;
}

int *pairs(void)
{
	struct pair *p = stock;

	p->right = &i;
	fill();
	return p->right;
}

char *text(void)
{
	struct name *n = stock;

	return n->text;
}
