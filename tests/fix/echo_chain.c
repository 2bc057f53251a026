// One call gets what another one has returned: nothing is compared with a pointer that has been released.
// LEAKS: 10
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

static int show_copy(const char *s)
{
	struct word {
		char *text;
	} w = { strdup(s) }, *p = &w;
	char *t;

	if (!w.text)
		abort();
	t = replace(p->text, 'A');
	puts(t);
	if (strlen(t) > 4)
		return -1;
	if (t != p->text)
		free(t);
	free(p->text);
	return 0;
}

int main(void)
{
	char words[][8] = { "x", "A", "B", "AB", "xxxxx", "Axxxxx", "Bxxxxx", "ABxxxx" };

	for (int i = 0; i < 8; i++)
		printf("%d %d\n", show(words[i]), show_copy(words[i]));
	return 0;
}
