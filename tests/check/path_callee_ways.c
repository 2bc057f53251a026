// What a callee does on one of its ways is not taken for all of them: neither its conditions, where nothing comes of it, nor
// a way that turns out to be impossible, with which others had met.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void only_of_one(int m)
{
	if (m == 1)
		free(strdup("temporary"));
}

void nothing_comes_of_it_bad(int a)
{
	char *line;

	only_of_one(a);
	line = strdup("x");	// LEAK
	if (a == 5)
		line = NULL;
	free(line);
}

void nothing_comes_of_it_ok(int a)
{
	char *line;

	only_of_one(a);
	line = strdup("x");
	if (a == 5)
		puts(line);
	free(line);
}

/* m is a multiple of 3, and 1: no. */
static char *impossible(int m)
{
	if (!(m % 3)) {
		if (m == 1)
			free(strdup("never"));
		else
			puts("sometimes");
	}
	return NULL;
}

void met_an_impossible_way_bad(int a)
{
	char *line = impossible(a % 3);

	line = strdup("x");	// LEAK
	switch (a) {
	case 0:
		line = NULL;
	}
	free(line);
}
