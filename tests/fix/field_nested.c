// Past the paper: the whole tree is lost: fields first, then the object.
// LEAKS: 6
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
	char *first, *last;
};

static int initials(const char *a, const char *b)
{
	struct person *p = malloc(sizeof *p);
	int n;

	if (!p)
		abort();
	p->first = strdup(a);
	p->last = strdup(b);
	n = 256 * p->first[0] + p->last[0];
	printf("%s %s\n", p->first, p->last);
	return n;
}

int main(void)
{
	int n = initials("Ada", "B") + initials("C", "Dodd");

	printf("%d\n", n);
	return 0;
}
