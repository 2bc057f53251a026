// The call whose result tells is the body of an if, an else, a loop: it gets braces, and an else stays with its if.
// LEAKS: 5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct set {
	char *v[2];
	int n;
};

static int set_add(struct set *s, char *x)
{
	if (s->n == 2)
		return -1;
	s->v[s->n++] = x;
	return 0;
}

static void add_word(struct set *s, const char *w)
{
	char *copy = strdup(w);

	if (copy)
		set_add(s, copy);
}

static void add_or_not(struct set *s, const char *w)
{
	char *copy = strdup(w);

	if (!copy)
		return;
	if (*w)
		set_add(s, copy);
	else
		free(copy);
	puts(w);
}

static void add_else(struct set *s, const char *w)
{
	char *copy = strdup(w);

	if (!copy)
		puts("no memory");
	else set_add(s, copy);
}

static void add_some(struct set *s, const char *const *w)
{
	char *copy;

	for (; *w && (copy = strdup(*w)); w++)
		set_add(s, copy);
}

int main(void)
{
	static const char *const more[] = { "x", "y", NULL };
	struct set s = { .n = 0 };

	add_word(&s, "a");
	add_or_not(&s, "b");
	add_word(&s, "c");
	add_or_not(&s, "");
	add_or_not(&s, "d");
	add_else(&s, "e");
	add_some(&s, more);
	while (s.n) {
		puts(s.v[--s.n]);
		free(s.v[s.n]);
	}
	return 0;
}
