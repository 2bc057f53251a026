// xmalloc() and fatal() in a unit of their own: no way goes on after fatal().
#include "xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fatal(const char *msg)
{
	fprintf(stderr, "fatal: %s\n", msg);
	exit(128);
}

void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		fatal("out of memory");
	return p;
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}
