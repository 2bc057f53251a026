// Two structs have the same pointer; one of them is its owner.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct owner {
	char *s;
};

struct user {
	const char *s;
	int n;
};

static int f(const char *t)
{
	struct owner o;
	struct user *u = malloc(sizeof *u);
	int n;

	if (!u)
		abort();
	o.s = strdup(t);
	u->s = o.s;
	u->n = (int)strlen(u->s);
	n = u->n;
	free(u);
	free(o.s);
	return n;
}

int main(void)
{
	printf("%d %d\n", f("abc"), f(""));
	return 0;
}
