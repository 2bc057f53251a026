// A ring of slots: an occupied one is freed before it is used again.
#include <stdlib.h>
#include <string.h>

struct ring { char *slot[4]; unsigned at; };

void ring_add_ok(struct ring *r, const char *s)
{
	unsigned i = r->at++ % 4;

	free(r->slot[i]);
	r->slot[i] = strdup(s);
}

void ring_release(struct ring *r)
{
	unsigned i;

	for (i = 0; i < 4; i++)
		free(r->slot[i]);
}

static void ring_add_bad(struct ring *r, const char *s)
{
	r->slot[r->at++ % 4] = strdup(s); // FN: LEAK@slot
}

int history_ok(char *const *v, int n)
{
	struct ring r = { .at = 0 };
	int i;

	for (i = 0; i < n; i++)
		ring_add_ok(&r, v[i]);
	ring_release(&r);
	return n;
}

int history_bad(char *const *v, int n)
{
	struct ring r = { .at = 0 };
	int i;

	for (i = 0; i < n; i++)
		ring_add_bad(&r, v[i]); // FN: LEAK@slot
	ring_release(&r);
	return n;
}
