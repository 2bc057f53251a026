// Flags that do not say what they seem to say.
// LEAKS: 3
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *last;

/* It is kept although the flag says that it is new. */
static char *get_kept(int n, int *made)
{
	char *s = strdup("kept");

	*made = 1;
	if (n) {
		free(last);
		last = s;
	}
	return s;
}

static int kept(int n)
{
	int made;
	char *s = get_kept(n, &made);

	if (!s || made > 1)
		return -1;
	return s[0];
}

/* The flag is set on ways on which it is not new, too. */
static char *get_either(int n, int *made)
{
	static char text[] = "static";

	*made = 1;
	return n ? text : strdup("new");
}

static int either(int n)
{
	int made;
	char *s = get_either(n, &made);

	if (!made)
		return -1;
	return s ? s[0] : 0;
}

/* The flag changes before it is asked. */
static char *get(int n, int *made)
{
	static char text[] = "static";

	*made = 0;
	if (n)
		return text;
	*made = 1;
	return strdup("new");
}

static void count(int *n) { *n = !*n; }

static int changed(int n)
{
	int made;
	char *s = get(n, &made);

	count(&made);
	if (!s)
		return -1;
	return made ? s[0] : 0;
}

/* Both get it. */
static int shared(int n)
{
	int made, again;
	char *s = get(n, &made), *t = s;

	if (!t)
		return -1;
	again = made;
	if (again)
		free(t);
	return made;
}

int main(void)
{
	printf("%d %d\n", kept(0), kept(1));
	printf("%d %d\n", either(0), either(1));
	printf("%d %d\n", changed(0), changed(1));
	printf("%d %d\n", shared(0), shared(1));
	puts(last);
	free(last);
	return 0;
}
