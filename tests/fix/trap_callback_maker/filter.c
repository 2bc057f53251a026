// Code that is not at hand calls what a table names, and has what that puts into its struct, with all that hangs on it.
// LEAKS: 0
// UNITS: filter.c
#include "filter.h"

#include <stdio.h>
#include <stdlib.h>

struct state {
	char *block;
	int n;
};

static int make(struct filter *self)
{
	struct state *s = calloc(1, sizeof(*s));
	char *block = malloc(100);

	if (!s || !block) {
		free(block);
		free(s);
		return -1;
	}
	self->data = s;
	s->block = block;
	block[0] = 'a';
	return 0;
}

static void done(struct filter *self)
{
	struct state *s = self->data;

	printf("%c\n", s->block[0]);
	free(s->block);
	free(s);
}

static const struct table table = { make, done };

int attach_state(void)
{
	return attach(&table);
}
