// As echo_variable.c, but what was given is freed before the place: it is not compared any more.
// LEAKS: 1
// EXPECT: either
// NEVER: t != s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int show(const char *text)
{
	char *s = strdup(text), *t;

	if (!s)
		abort();
	t = lower(s);
	if (strlen(t) > 8 && t != s) {
		free(s);
		puts(t);
		return -1;
	}
	puts(t);
	if (t != s)
		free(t);
	free(s);
	return 0;
}

int main(void)
{
	char a[] = "tail", b[] = "A tail", c[] = "a long tail", d[] = "A long tail";
	char *words[] = { a, b, c, d };

	for (int i = 0; i < 4; i++)
		printf("%d\n", show(words[i]));
	return 0;
}
