// The function frees the text in a member's struct itself, behind the place: the destructor of that would free it, too.
// LEAKS: 1
// EXPECT: either
// NEVER: in_free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct in {
	char *text;
	int n;
};

struct out {
	struct in *in;
	int k;
};

static struct in *in_new(void)
{
	struct in *i = malloc(sizeof *i);

	if (!i)
		abort();
	i->text = NULL;
	i->n = 0;
	return i;
}

static void in_free(struct in *i)
{
	free(i->text);
	free(i);
}

static int make_own(int n)
{
	struct out *o = malloc(sizeof *o);
	char *t = strdup("own");

	if (!o || !t)
		abort();
	o->in = in_new();
	o->in->text = t;
	if (n > 3) {
		free(o);
		printf("%s\n", t);
		free(t);
		return -1;
	}
	in_free(o->in);
	free(o);
	return 0;
}

static int other(int n)
{
	struct in *i = in_new();

	i->text = strdup("x");
	printf("%d\n", n);
	in_free(i);
	return 0;
}

int main(void)
{
	printf("%d\n", other(2) + make_own(2) + make_own(4));
	return 0;
}
