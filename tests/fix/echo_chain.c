// One call gets what another one has returned: nothing is compared with a pointer that has been released.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *replace(char *s, char c)
{
	char *t;

	if (!strchr(s, c))
		return s;
	t = strdup(s);
	if (!t)
		abort();
	*strchr(t, c) = '-';
	return t;
}

static int show(char *s)
{
	char *a, *b;

	a = replace(s, 'A');
	b = replace(a, 'B');
	puts(b);
	if (strlen(b) > 4)
		return -1;
	if (b != a)
		free(b);
	if (a != s)
		free(a);
	return 0;
}

int main(void)
{
	char words[][8] = { "x", "A", "B", "AB", "xxxxx", "Axxxxx", "Bxxxxx", "ABxxxx" };

	for (int i = 0; i < 8; i++)
		printf("%d\n", show(words[i]));
	return 0;
}
