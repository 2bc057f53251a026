// As echo_element.c, but where the array is null there was no call: the element must not be read.
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

static int show(char **v)
{
	char *t = NULL;
	int n;

	if (v)
		t = lower(v[0]);
	n = t ? (int)strlen(t) : 99;
	if (n > 8) {
		puts("too long");
		return -1;
	}
	puts(t);
	if (t != v[0])
		free(t);
	return 0;
}

int main(void)
{
	char a[] = "tail", b[] = "A tail", c[] = "a long tail", d[] = "A long tail";
	char *words[] = { a, b, c, d };

	for (int i = 0; i < 4; i++)
		printf("%d\n", show(&words[i]));
	printf("%d\n", show(NULL));
	return 0;
}
