// The same, but the callee keeps the object and leaves it in the variable, frees it and leaves it there, or puts something
// else there that must not be freed.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept[2];
static int nkept;

static void keep(char **item)
{
	if (nkept < 2)
		kept[nkept++] = *item;
}

static void kept_too(const char *text)
{
	char *copy = strdup(text);

	keep(&copy);
	puts(copy);
}

static void drop(char **item, int n)
{
	if (n)
		free(*item);
}

static void dropped(const char *text, int n)
{
	char *copy = strdup(text);

	drop(&copy, n);
	if (!n)
		free(copy);
}

static char none[] = "none";

static char *swap(char **item)
{
	char *s = *item;

	*item = none;
	return s;
}

static void swapped(const char *text)
{
	char *copy = strdup(text), *s;

	if (!copy)
		return;
	s = swap(&copy);
	puts(s);
	puts(copy);
	free(s);
}

static void lost(const char *text)
{
	char *copy = strdup(text), *s;

	if (!copy)
		return;
	s = swap(&copy);
	puts(s);
	puts(copy);
}

int main(void)
{
	kept_too("a");
	kept_too("b");
	dropped("c", 0);
	dropped("d", 1);
	swapped("e");
	lost("f");
	while (nkept)
		free(kept[--nkept]);
	return 0;
}
