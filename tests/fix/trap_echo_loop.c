// As echo_variable.c, but t may be what an earlier round was given.
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

static int show(char **words, int n)
{
	char *t = NULL;
	int shown = 0;

	for (int i = 0; i < n; i++) {
		char *s = words[i];
		char *u = lower(s);

		if (i == 0)
			t = u;
		else if (u != s)
			free(u);
		if (strlen(s) > 8)
			continue;
		shown++;
		if (i == 1) {
			puts(t);
			return -1;
		}
	}
	if (n && t != words[0])
		free(t);
	return shown;
}

int main(void)
{
	char a[] = "A tail", b[] = "tail";
	char *words[] = { a, b }, *other[] = { b, b };

	printf("%d\n", show(words, 2));
	printf("%d\n", show(words, 1));
	printf("%d\n", show(other, 2));
	printf("%d\n", show(other, 1));
	return 0;
}
