/* a wrapper of realloc() that ends the program when there is no memory never returns NULL */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int caught;

static void no_memory(const char *who)
{
	fprintf(stderr, "%s: no memory\n", who);
	exit(2);
}

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (p == NULL)
		no_memory("xmalloc");
	return p;
}

static void *xrealloc(void *old, size_t n)
{
	void *p = old ? realloc(old, n) : malloc(n);

	if (p == NULL)
		no_memory("xrealloc");
	return p;
}

static char *next_word(const char *text, int state)
{
	size_t n;
	char *copy;

	if (state > 20)
		return NULL;
	n = strlen(text);
	copy = xmalloc(n + 1);
	memcpy(copy, text, n + 1);
	return copy;
}

char **words(const char *text)
{
	int size = 10, n = 0;
	char **list = xmalloc((size + 1) * sizeof(*list));
	char *s;

	list[0] = NULL;
	while ((s = next_word(text, n))) {
		if (caught) {
			for (n = 0; list[n]; n++)
				free(list[n]);
			free(list);
			list = NULL;
			size = 0;
			n = 0;
		}
		if (n + 1 >= size)
			list = xrealloc(list, ((size += 10) + 1) * sizeof(*list));
		if (list == NULL)
			return list;
		list[n++] = s;
		list[n] = NULL;
	}
	return list;
}
