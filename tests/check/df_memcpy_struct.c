// memcpy and struct assignment copy the pointers inside.
#include <stdlib.h>
#include <string.h>

struct rec { int id; char *name; char *note; };

void assigned_ok(const char *n)
{
	struct rec a, b;

	a.name = strdup(n);
	b = a;
	free(b.name);
}

void memcpyed_ok(const char *n)
{
	struct rec a = {0}, b;

	a.name = strdup(n);
	memcpy(&b, &a, sizeof(b));
	free(b.name);
}

void memcpyed_bad(const char *n)
{
	struct rec a = {0}, b;

	a.name = strdup(n);
	a.note = strdup(n); // LEAK(never-freed)
	memcpy(&b, &a, sizeof(b));
	free(b.name);
}

void to_the_heap_ok(const char *n)
{
	struct rec a = {0};
	struct rec *h = malloc(sizeof(*h));

	if (!h)
		return;
	a.name = strdup(n);
	*h = a;
	free(h->name);
	free(h);
}

struct rec *to_the_heap_and_out_ok(const char *n)
{
	struct rec a = {0};
	struct rec *h = malloc(sizeof(*h));

	if (!h)
		return NULL;
	a.name = strdup(n);
	memcpy(h, &a, sizeof(a));
	return h;
}

void zeroed_bad(const char *n)
{
	struct rec a;

	a.name = strdup(n); // LEAK
	memset(&a, 0, sizeof(a));
	free(a.name);
}
