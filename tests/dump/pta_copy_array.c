// RUN: plumb dump pta %s
// Who copies an array of pointers that is a member copies no other member; who copies by a pointer to void may copy all.
#include <stdlib.h>
#include <string.h>

struct names {
	char *name[2];
	char *other;
};

void array(struct names *to, char **from, size_t n)
{
	memcpy(to->name, from, n * sizeof(*from));
}

void any(struct names *to, const void *from, size_t n)
{
	memcpy(to, from, n);
}

void copied(size_t n)
{
	struct names a, b, c;

	a.name[0] = malloc(1);
	a.other = malloc(2);
	array(&b, a.name, n);
	any(&c, &a, n);
}
