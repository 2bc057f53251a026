// The else is put on lines of its own, and what follows the if on its line does not look as if it belonged to it.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept;

static const char *first(const char *s) { char *t = strdup(s); if (!kept) kept = t; return kept ? kept : "none"; }

int main(void)
{
	puts(first("one"));
	puts(first("two"));
	puts(first("three"));
	free(kept);
	return 0;
}
