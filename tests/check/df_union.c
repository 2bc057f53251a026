// A pointer put into one member of a union and taken out of another.
#include <stdlib.h>
#include <stdint.h>
#include <string.h>

union cell {
	char *str;
	void *ptr;
	uintptr_t num;
};

struct value {
	enum { INT, STR } kind;
	union { long i; char *s; } u;
};

void other_member_ok(void)
{
	union cell c;

	c.str = malloc(8);
	free(c.ptr);
}

void as_number_ok(void)
{
	union cell c;

	c.ptr = malloc(8);
	free((void *)c.num);
}

void union_bad(void)
{
	union cell c;

	c.str = malloc(8); // LEAK(never-freed)
	c.str[0] = 1;
}

void tagged_ok(const char *s)
{
	struct value v;

	v.kind = STR;
	v.u.s = strdup(s);
	if (v.kind == STR)
		free(v.u.s);
}

void overwritten_by_number_bad(const char *s)
{
	struct value v;

	v.kind = STR;
	v.u.s = strdup(s); // LEAK
	v.kind = INT;
	v.u.i = 3;
	if (v.kind == STR)
		free(v.u.s);
}
