// What holds the argument is lost at the same place: it is released behind the question, not before it.
// LEAKS: 9
// ONCE: ^\+\s*free\(v\);$
// NEVER: _heap
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
	char *text;
	int n;
};

static char *lower(char *s)
{
	char *t;

	if (!strpbrk(s, "ABC"))
		return s;
	t = strdup(s);
	if (!t)
		abort();
	t[strcspn(t, "ABC")] = 'x';
	return t;
}

static int show_element(char *s)
{
	char **v = malloc(sizeof *v), *t;

	if (!v)
		abort();
	v[0] = s;
	t = lower(v[0]);
	puts(t);
	if (strlen(t) > 8)
		return -1;
	if (t != v[0])
		free(t);
	free(v);
	return 0;
}

static struct word *word_new(const char *s)
{
	struct word *w = malloc(sizeof *w);

	if (!w)
		abort();
	w->text = strdup(s);
	if (!w->text)
		abort();
	w->n = 1;
	return w;
}

static void word_free(struct word *w)
{
	if (!w)
		return;
	free(w->text);
	free(w);
}

static int show_member(const char *s)
{
	struct word *w = word_new(s);
	char *t = lower(w->text);

	puts(t);
	if (strlen(t) > 8)
		goto out;
	if (t != w->text)
		free(t);
	word_free(w);
	return 0;
out:
	puts("long");
	return 1;
}

static int show_none(char *s)
{
	char *t, *u;
	int n;

	t = strdup(s);
	if (!t)
		abort();
	u = lower(t);
	n = (int)strlen(u);
	puts(u);
	return n;
}

int main(void)
{
	char a[] = "tail", b[] = "A tail", c[] = "a long tail", d[] = "A long tail";
	char *words[] = { a, b, c, d };

	for (int i = 0; i < 4; i++)
		printf("%d %d\n", show_element(words[i]), show_member(words[i]));
	printf("%d\n", show_none(a));
	return 0;
}
