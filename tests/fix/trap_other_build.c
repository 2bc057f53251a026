// In another build the program frees these itself, or keeps them: the text says so.
// LEAKS: 5
// NEVER: ^\+.*free ?\((lens|base|array|late)(_heap)?\);
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LINT
# define IF_LINT(x) x
#else
# define IF_LINT(x)
#endif

static char *buffer;

static int by_macro(const char *s)
{
	size_t *lens = calloc(strlen(s) + 1, sizeof(*lens));
	size_t sum = 0;

	if (!lens)
		return -1;
	for (size_t i = 0; s[i]; i++)
		lens[i] = i;
	for (size_t i = 0; s[i]; i++)
		sum += lens[i];
	printf("%zu\n", sum);
	IF_LINT (free (lens));
	return 0;
}

static int by_macro_kept(const char *s)
{
	char *base = strdup(s);

	IF_LINT (buffer = base);
	if (!base)
		return -1;
	puts(base);
	return 0;
}

static int by_directive(int n)
{
	int *array = calloc((size_t)n, sizeof(*array));

	if (!array)
		return -1;
	array[0] = n;
	printf("%d\n", array[0]);
#if 0
	/* Another thread may still look at it. */
	free(array);
#endif
	return 0;
}

static int by_else(const char *s)
{
	char *late = strdup(s);

	if (!late)
		return -1;
	puts(late);
#ifdef LATE
	buffer = late;
#else
	puts("at once");
#endif
	return 0;
}

/* This is compiled, whatever the lines look like. */
static int as_usual(const char *s, int n)
{
	char *copy = strdup(s);

	if (!copy)
		return -1;
	if (n)
		return -2;
	puts(copy);
	free(
	     copy);
	return 0;
}

int main(int argc, char **argv)
{
	int n = by_macro("abc") + by_macro_kept("d") + by_directive(3) + by_else("e") + as_usual("f", 0) + as_usual("g", 1);

	printf("%d %d\n", n, buffer == NULL);
	return 0;
}
