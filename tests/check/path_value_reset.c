// A value object used for several rounds: reset between them, or overwritten.
#include <stdlib.h>
#include <string.h>

struct rec { char *key; int n; };

static void rec_init(struct rec *r)
{
	r->key = NULL;
	r->n = 0;
}

static void rec_clear(struct rec *r)
{
	free(r->key);
	rec_init(r);
}

static void rec_read(struct rec *r, const char *s)
{
	r->key = strdup(s);
	r->n = 1;
}

int all_ok(char *const *v, int n)
{
	struct rec r;
	int i, sum = 0;

	rec_init(&r);
	for (i = 0; i < n; i++) {
		rec_read(&r, v[i]);
		sum += r.n;
		rec_clear(&r);
	}
	return sum;
}

int all_bad(char *const *v, int n)
{
	struct rec r;
	int i, sum = 0;

	rec_init(&r);
	for (i = 0; i < n; i++) {
		rec_read(&r, v[i]); // LEAK(overwritten)
		sum += r.n;
	}
	rec_clear(&r);
	return sum;
}
