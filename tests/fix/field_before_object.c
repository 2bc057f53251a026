// Past the paper: the object is freed, its field is not.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	char *label;
	int n;
};

static int use(const char *l)
{
	struct node *p = malloc(sizeof *p);
	int n;

	if (!p)
		return -1;
	p->label = strdup(l);
	p->n = (int)strlen(p->label);
	n = p->n;
	free(p);
	return n;
}

int main(void)
{
	printf("%d %d\n", use("abc"), use(""));
	return 0;
}
