// The result does not tell whether the object was kept; or it tells, but the call is not a statement of its own.
// LEAKS: 2
// KNOWN: `copy` may be kept by set_add()
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct set {
	char *v[2];
	int n;
	int tries;
};

/* How many there are now. */
static int set_add(struct set *s, char *x)
{
	if (s->n < 2)
		s->v[s->n++] = x;
	return s->n;
}

static int set_try(struct set *s, char *x)
{
	if (s->n == 2)
		return -1;
	s->v[s->n++] = x;
	return 0;
}

static void add_word(struct set *s, const char *w)
{
	char *copy = strdup(w);

	if (!copy)
		return;
	set_add(s, copy);
}

static void try_word(struct set *s, const char *w)
{
	char *copy = strdup(w);

	if (!copy)
		return;
	if (*w)
		s->tries++, set_try(s, copy);
	else
		free(copy);
}

int main(void)
{
	struct set s = { .n = 0, .tries = 0 };

	add_word(&s, "a");
	try_word(&s, "b");
	add_word(&s, "c");
	try_word(&s, "d");
	try_word(&s, "");
	while (s.n) {
		puts(s.v[--s.n]);
		free(s.v[s.n]);
	}
	return 0;
}
