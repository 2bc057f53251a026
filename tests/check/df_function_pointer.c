// Frees and allocations behind function pointers.
#include <stdlib.h>
#include <string.h>

typedef void (*free_fn)(void *);
typedef void *(*alloc_fn)(size_t);

static void my_free(void *p)
{
	free(p);
}

void library_function_ok(void)
{
	free_fn f = free;

	f(malloc(8));
}

void own_function_ok(void)
{
	free_fn f = my_free;
	char *p = malloc(8);

	f(p);
}

static void nothing(void *p)
{
	(void)p;
}

void wrong_function_bad(void)
{
	free_fn f = nothing;
	char *p = malloc(8); // LEAK(never-freed)

	f(p);
}

void allocated_behind_pointer_ok(void)
{
	alloc_fn a = malloc;
	char *p = a(8);

	free(p);
}

void allocated_behind_pointer_bad(void)
{
	alloc_fn a = malloc;
	char *p = a(8); // LEAK(never-freed)

	if (p)
		p[0] = 0;
}

void either_function_bad(int n)
{
	free_fn f = n ? my_free : nothing;
	char *p = malloc(8); // FN(vfg): LEAK(conditional)

	f(p);
}

void callers_function_ok(free_fn f)
{
	f(malloc(8));
}
