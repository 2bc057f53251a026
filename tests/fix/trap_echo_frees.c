// As echo_variable.c, but the function frees what it is given where it makes something new.
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
	free(s);
	return t;
}

static int show(const char *text)
{
	char *s = strdup(text), *t;

	if (!s)
		abort();
	t = lower(s);
	if (strlen(t) > 8 && *text == 'A') {
		puts("too long");
		return -1;
	}
	puts(t);
	free(t);
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
