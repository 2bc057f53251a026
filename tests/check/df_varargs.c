// Through variable arguments.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static void free_all(void *first, ...)
{
	va_list ap;
	void *p;

	free(first);
	va_start(ap, first);
	while ((p = va_arg(ap, void *)) != NULL)
		free(p);
	va_end(ap);
}

void all_of_them_ok(void)
{
	char *a = malloc(4), *b = malloc(4), *c = malloc(4);

	if (!a || !b)	/* or it would stop there */
		exit(1);
	free_all(a, b, c, NULL);
}

static char *concat(const char *first, ...)
{
	va_list ap;
	const char *s;
	size_t n = strlen(first) + 1;
	char *r;

	va_start(ap, first);
	while ((s = va_arg(ap, const char *)))
		n += strlen(s);
	va_end(ap);
	r = malloc(n);
	if (!r)
		return NULL;
	strcpy(r, first);
	va_start(ap, first);
	while ((s = va_arg(ap, const char *)))
		strcat(r, s);
	va_end(ap);
	return r;
}

void concat_ok(const char *a, const char *b)
{
	char *s = concat(a, "/", b, NULL);

	puts(s);
	free(s);
}

void concat_bad(const char *a, const char *b)
{
	char *s = concat(a, "/", b, NULL); // LEAK(never-freed)

	puts(s);
}

void nested_concat_bad(const char *a, const char *b)
{
	char *s = concat(a, concat(b, "x", NULL), NULL); // LEAK(never-freed)

	free(s);
}

void printed_bad(const char *s)
{
	printf("%s %s\n", s, strdup(s)); // LEAK(never-freed)
}
