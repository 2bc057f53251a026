// What is in a member has a text of its own: its destructor is called before the holder is freed.
// LEAKS: 2
// PATCH: ^\+.*in_free\(o->in\);
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
	o->in->text = strdup(text);
	if (n > 3) {
		free(o);
		return -1;
	}
	printf("%s\n", o->in->text);
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
	printf("%s %d\n", t, r);
	free(t);
	return 0;
}
