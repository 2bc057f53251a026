// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct set {
	char *v[8];
	int n;
};

static void set_add(struct set *s, char *x)
{
	s->v[s->n++] = x;
}

static void add_word(struct set *s, const char *w, int len)
{
	char *x = strndup(w, len);

	if (s->n < 2)
		set_add(s, x);
	printf("%d\n", s->n);
}

int main(void)
{
	struct set s = { .n = 0 };

	add_word(&s, "one", 3);
	add_word(&s, "two", 2);
	add_word(&s, "three", 5);
	add_word(&s, "four", 1);
	while (s.n > 0)
		free(s.v[--s.n]);
	return 0;
}
