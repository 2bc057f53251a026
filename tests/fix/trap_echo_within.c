// As echo_variable.c, but what is returned may also be a pointer into what was given.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *lower(char *s)
{
	char *t;

	if (!strpbrk(s, "ABC"))
		return s;
	if (*s == ' ')
		return s + 1;
	t = strdup(s);
	if (!t)
		abort();
	t[strcspn(t, "ABC")] = 'x';
	return t;
}

static int show(char *s)
{
	char *t = lower(s);

	if (strlen(t) > 8) {
		puts("too long");
		return -1;
	}
	puts(t);
	return 0;
}

int main(void)
{
	char a[] = "tail", b[] = "A tail", c[] = " A long tail", d[] = "A long tail";
	char *words[] = { a, b, c, d };

	for (int i = 0; i < 4; i++)
		printf("%d\n", show(words[i]));
	return 0;
}
