// As echo_variable.c, but others have the address of the variable, and set it.
// LEAKS: 1
// EXPECT: either
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

static void shorten(char **v)
{
	*v = strchr(*v, ' ') + 1;
	puts(*v);
}

static int show(char *s)
{
	char *t = lower(s);

	if (strlen(t) > 8) {
		shorten(&s);
		puts(t);
		return -1;
	}
	puts(t);
	if (t != s)
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
