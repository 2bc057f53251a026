// The callee is given the address of the variable that holds the object: it takes it out, replaces it, or leaves it there.
// LEAKS: 4
// KNOWN: where realloc() fails in a later round, sum() returns early and loses what is there; no release is planned at that return
// PATCH: ^\+\s*free\(copy\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stack { char *top[2]; int n; };

static void push(struct stack *s, char **item)
{
	if (s->n < 2) {
		s->top[s->n++] = *item;
		*item = NULL;
	}
}

static void save(struct stack *s, const char *text)
{
	char *copy = strdup(text);

	push(s, &copy);
}

static char *take(char **p)
{
	char *s = *p;

	*p = NULL;
	return s;
}

static int title(char **to, const char *text, int force)
{
	char *t = strdup(text), *s;

	if (!t)
		return -1;
	s = take(&t);
	if (force) {
		free(*to);
		*to = s;
	}
	free(t);
	return force;
}

struct vec { int *v; int n, max; };

static int vec_push(struct vec *a, int x)
{
	if (a->n == a->max) {
		int max = a->max ? 2 * a->max : 2;
		int *v = realloc(a->v, (size_t)max * sizeof(*v));

		if (!v)
			return -1;
		a->v = v;
		a->max = max;
	}
	a->v[a->n++] = x;
	return 0;
}

static int sum(int from, int n)
{
	struct vec a = {0};
	int s = 0;

	for (int i = 0; i < n; i++)
		if (vec_push(&a, from + i) < 0)
			return -1;
	for (int i = 0; i < a.n; i++)
		s += a.v[i];
	return s;
}

int main(void)
{
	struct stack s = {0};
	char *t = NULL;

	save(&s, "a");
	save(&s, "b");
	save(&s, "c");
	printf("%s%s\n", s.top[0], s.top[1]);
	printf("%d", title(&t, "x", 0));
	printf("%d\n", title(&t, "y", 1));
	puts(t);
	printf("%d", sum(0, 5));
	printf(" %d", sum(0, 0));
	printf(" %d\n", sum(1, 1));
	free(t);
	free(s.top[0]);
	free(s.top[1]);
	return 0;
}
