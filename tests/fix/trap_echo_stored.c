// As echo_element.c, but the element is set to something else before the place.
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
	char *t = lower(v[0]);

	if (strlen(t) > 8) {
		v[0] = strchr(v[0], ' ') + 1;
		printf("%s of %s\n", v[0], t);
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
	return 0;
}
