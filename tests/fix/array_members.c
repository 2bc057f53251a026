// Both members of the elements of an array of structs, and the array on the stack: each is
// released by a loop of its own.
// LEAKS: 10
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { char *key, *val; };

static int heap(const char *s, unsigned n)
{
	struct pair *p = calloc(n, sizeof *p);
	unsigned i;
	int sum = 0;

	if (!p)
		return -1;
	for (i = 0; i < n; i++) {
		p[i].key = strdup(s);
		p[i].val = strdup("v");
	}
	for (i = 0; i < n; i++)
		sum += p[i].key[0] + p[i].val[0];
	free(p);
	return sum;
}

static int stack(const char *s)
{
	struct pair p[4] = { { 0 } };
	int sum = 0;

	for (int i = 0; i < 4; i++)
		p[i].key = strdup(s);
	for (int i = 0; i < 4; i++)
		sum += p[i].key[0];
	return sum;
}

int main(void)
{
	printf("%d\n", heap("abc", 3));
	printf("%d\n", stack("xyz"));
	return 0;
}
