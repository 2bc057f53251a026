// A destructor of what is in a member would free a text there that is the caller's, or that the function frees itself.
// LEAKS: 2
// EXPECT: refused
// REFUSED: in_free\(\) would also free members
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

static int make(char *text, int n)
{
	struct out *o = malloc(sizeof *o);

	if (!o)
		abort();
	o->in = in_new();
	o->in->text = text;
	if (n > 3) {
		free(o);
		return -1;
	}
	printf("%s\n", o->in->text);
	o->in->text = NULL;
	in_free(o->in);
	free(o);
	return 0;
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
	char *t = strdup("text");
	int r;

	other(2);
	r = make(t, 2);
	r += make(t, 4);
	r += make_own(2) + make_own(4);
	printf("%s %d\n", t, r);
	free(t);
	return 0;
}
