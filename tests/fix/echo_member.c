// What lower() was given, and may return, is in a member.
// LEAKS: 1
// PATCH: ^\+.*if \(t != w->text\)
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

struct word {
	int n;
	char *text;
};

static int show(const struct word *w)
{
	char *t = lower(w->text);
	int n = (int)strlen(t);

	if (n > 8) {
		printf("%d: too long\n", w->n);
		return -1;
	}
	puts(t);
	if (t != w->text)
		free(t);
	return n;
}

int main(void)
{
	char a[] = "tail", b[] = "A tail", c[] = "a long tail", d[] = "A long tail";
	struct word words[] = { { 1, a }, { 2, b }, { 3, c }, { 4, d } };

	for (int i = 0; i < 4; i++)
		printf("%d\n", show(&words[i]));
	return 0;
}
