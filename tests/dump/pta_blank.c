// RUN: plumb dump pta %s
// String literals are one object; what has no room for a pointer holds none; a character pointer is not
// to a variable that is a struct; elements moved within an array stay where they are.
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct thing { char *name; long size; unsigned char key[8]; };

const char *literals(int n)
{
	return n ? "one" : "two";
}

char *numbers(struct thing *t, struct thing *from)
{
	struct point p = { 1, 2 }, q = p;

	*t = *from;
	t->size = q.x;
	return t->name;
}

void *bytes(void)
{
	struct thing t = { "name", 1, "" };
	char *c = (char *)&t;
	void *v = &t;

	return c ? c : v;
}

void caller(void)
{
	struct thing a = { malloc(1), 1, "" }, b;

	numbers(&b, &a);
}
