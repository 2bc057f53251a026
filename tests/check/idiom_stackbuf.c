// A buffer on the stack, or from malloc if it is too small.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stack_or_heap_ok(const char *s)
{
	char buf[64], *p = buf;
	size_t n = strlen(s) + 1;

	if (n > sizeof(buf))
		p = malloc(n);
	if (!p)
		return;
	memcpy(p, s, n);
	puts(p);
	if (p != buf)
		free(p);
}

void stack_or_heap_bad(const char *s)
{
	char buf[64], *p = buf;
	size_t n = strlen(s) + 1;

	if (n > sizeof(buf))
		p = malloc(n); // LEAK(never-freed)
	if (!p)
		return;
	memcpy(p, s, n);
	puts(p);
}

void reversed_test_bad(const char *s)
{
	char buf[64], *p = buf;
	size_t n = strlen(s) + 1;

	if (n > sizeof(buf))
		p = malloc(n); // LEAK(conditional)
	if (p == buf)
		free(p);	/* the wrong one */
}

struct small { char *p; char in[16]; };

void inside_struct_ok(const char *s)
{
	struct small b;
	size_t n = strlen(s) + 1;

	b.p = n > sizeof(b.in) ? malloc(n) : b.in;
	if (!b.p)
		return;
	memcpy(b.p, s, n);
	if (b.p != b.in)
		free(b.p);
}

void remembered_by_flag_ok(const char *s)
{
	char buf[64], *p = buf;
	size_t n = strlen(s) + 1;
	int on_heap = n > sizeof(buf);

	if (on_heap)
		p = malloc(n);
	if (p)
		memcpy(p, s, n);
	if (on_heap)
		free(p);
}
