// What lower() returns is new, or what it was given, in a loop: each time it is compared with what that is by then.
// LEAKS: 2
// PATCH: ^\+.*if \(t != s\)
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
	int shown = 0;

	for (int i = 0; i < n; i++) {
		char *s = words[i];
		char *t = lower(s);

		if (strlen(t) > 8)
			continue;
		puts(t);
		shown++;
		if (t != s)
			free(t);
	}
	return shown;
}

int main(void)
{
	char a[] = "tail", b[] = "A tail", c[] = "a long tail", d[] = "A long tail", e[] = "B long tail";
	char *words[] = { a, b, c, d, e };

	printf("%d\n", show(words, 5));
	return 0;
}
