/*
 * A function that makes something for its caller, where code that is not at hand is that caller: by
 * a table, or at once.  What it has put there is that code's, with all that hangs on it.
 */
#include <stdlib.h>

struct filter {
	void *data;
};

struct state {
	void *block;
	void *spare;
};

struct table {
	int (*init)(struct filter *);
};

int unknown_register(void *, const struct table *);
int unknown_call(int (*)(struct filter *), void *);

static int table_ok(struct filter *self)
{
	struct state *s = calloc(1, sizeof(*s));
	void *block = malloc(100);

	if (!s || !block) {
		free(block);
		free(s);
		return -1;
	}
	self->data = s;
	s->block = block;
	return 0;
}

static int call_ok(struct filter *self)
{
	struct state *s = calloc(1, sizeof(*s));
	void *block = malloc(100);

	if (!s || !block) {
		free(block);
		free(s);
		return -1;
	}
	s->block = block;
	self->data = s;
	return 0;
}

static int call_bad(struct filter *self)
{
	struct state *s = calloc(1, sizeof(*s));
	void *block = malloc(100);	// LEAK(conditional)
	void *spare = malloc(100);

	if (!s || !block || !spare) {
		free(block);
		free(spare);
		free(s);
		return -1;
	}
	s->spare = spare;
	self->data = s;
	return 0;
}

static const struct table table = { table_ok };

int use_all(void *a)
{
	return unknown_register(a, &table) + unknown_call(call_ok, a) + unknown_call(call_bad, a);
}
