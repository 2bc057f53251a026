// Pointer arithmetic stays within the object.
#include <stdlib.h>
#include <string.h>

void back_to_the_start_ok(void)
{
	char *p = malloc(16);

	if (!p)
		return;
	p += 4;
	*p = 0;
	free(p - 4);
}

void cursor_ok(const char *s)
{
	char *copy = strdup(s), *c;

	if (!copy)
		return;
	for (c = copy; *c; c++)
		if (*c == '/')
			*c = '_';
	free(copy);
}

void cursor_bad(const char *s)
{
	char *c = strdup(s); // LEAK(never-freed)

	for (; c && *c; c++)
		if (*c == '/')
			*c = '_';
}

/* The length sits before what the user sees. */
void *sized_alloc_ok(size_t n)
{
	size_t *h = malloc(n + sizeof(*h));

	if (!h)
		return NULL;
	*h = n;
	return h + 1;
}

void sized_free_ok(void *p)
{
	if (p)
		free((size_t *)p - 1);
}

void with_header_ok(void)
{
	void *p = sized_alloc_ok(10);

	sized_free_ok(p);
}

void with_header_bad(void)
{
	void *p = sized_alloc_ok(10); // LEAK(never-freed)

	if (p)
		*(char *)p = 1;
}
