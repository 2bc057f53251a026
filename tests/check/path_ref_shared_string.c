// Strings with a count in front: dup is a count up, free a count down.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct rstr { unsigned refs; char text[]; };

static char *rstr_new(const char *s)
{
	struct rstr *r = malloc(sizeof(*r) + strlen(s) + 1);

	if (!r)
		return NULL;
	r->refs = 1;
	strcpy(r->text, s);
	return r->text;
}

static struct rstr *rstr_of(char *t)
{
	return (struct rstr *)(t - offsetof(struct rstr, text));
}

static char *rstr_dup(char *t)
{
	rstr_of(t)->refs++;
	return t;
}

static void rstr_free(char *t)
{
	if (t && --rstr_of(t)->refs == 0)
		free(rstr_of(t));
}

int both_ok(const char *s)
{
	char *a = rstr_new(s), *b;

	if (!a)
		return -1;
	b = rstr_dup(a);
	rstr_free(a);
	rstr_free(b);
	return 0;
}

int one_bad(const char *s, int n)
{
	char *a = rstr_new(s); // LEAK(conditional)

	if (!a)
		return -1;
	if (n)
		rstr_free(a);
	return 0;
}
