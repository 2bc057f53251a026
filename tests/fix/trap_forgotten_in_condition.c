// A call in the middle of a condition frees it: behind the condition it is freed on one way and lost on the other, and no text is between.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	size_t size, idx;
	char *s;
};

static const char *input;

static void *more(void *p, size_t *n)
{
	*n = *n ? *n * 2 : 4;
	p = realloc(p, *n);
	if (!p)
		exit(1);
	return p;
}

static void resize(struct text *t, size_t len)
{
	while (len + t->idx >= t->size)
		t->s = more(t->s, &t->size);
}

static char *next(char *p, struct text *t)
{
	t->idx = 0;
	for (; *input && *input != '\n'; input++) {
		resize(t, 0);
		t->s[t->idx++] = *p = *input;
	}
	resize(t, 0);
	t->s[t->idx] = '\0';
	if (t->idx == 0 && !*input)
		return NULL;
	input += *input == '\n';
	return t->s;
}

static int is_bad(const char *p)
{
	return *p == '!';
}

static int drop(char *p)
{
	int bad = *p == '?';

	free(p);
	return bad ? -1 : 0;
}

static int read_all(const char *s)
{
	struct text t = { 0 };
	char *last;
	int n = 0;

	input = s;
	last = malloc(1);
	if (last == NULL)
		exit(1);
	*last = 0;
	while (next(last, &t) != NULL)
		n++;
	free(t.s);
	if (is_bad(last) || drop(last) == -1)
		printf("bad: ");
	return n;
}

int main(void)
{
	printf("%d\n", read_all("a\nb\n"));
	printf("%d\n", read_all("a\nb!\n"));
	printf("%d\n", read_all("a\nb?\n"));
	return 0;
}
