// As echo_variable.c, but there are two variables that t may be.
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

static int show(char *s, char *or)
{
	char *t;

	if (*s)
		t = lower(s);
	else
		t = lower(or);
	if (strlen(t) > 8) {
		puts("too long");
		return -1;
	}
	puts(t);
	if (t != s && t != or)
		free(t);
	return 0;
}

int main(void)
{
	char none[] = "", a[] = "tail", b[] = "A tail", c[] = "a long tail", d[] = "A long tail";

	printf("%d %d\n", show(a, b), show(none, b));
	printf("%d %d\n", show(c, b), show(none, c));
	printf("%d\n", show(d, b));
	return 0;
}
