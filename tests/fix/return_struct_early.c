// A struct is returned, and fetched in parts where all returns meet: no statement stands there.
// LEAKS: 4
// PATCH: ^\+\t\t\tif \(d->bad == 2\) \{$
// PATCH: ^\+\t\t\tif \(d->bad == 4\) \{$
// NEVER: ^\+\t{1,3}free\(k\);$
// NEVER: plumb_ret
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct db {
	int at, n, bad;
};

struct key {
	char *text;
	int n;
};

static struct key none;

static char *get(int n)
{
	char *p = malloc((size_t)n + 1);

	if (!p)
		return NULL;
	memset(p, 'x', (size_t)n);
	p[n] = '\0';
	return p;
}

static struct key next(struct db *d, const char *old)
{
	struct key key = none;
	char *k = NULL;

	if (d->at) {
		if (d->bad == 1)
			return none;
		if (d->n == 7 || !(k = get(d->n)) || strcmp(k, old) != 0) {
			if (d->bad == 2)
				return none;
			if (d->bad == 4)
				return none;
			d->at = 0;
		}
		if (k) {
			free(k);
			k = NULL;
		}
	}
	if (!d->at && d->bad == 3)
		return none;
	key.n = d->n;
	key.text = get(d->n);
	return key;
}

int main(void)
{
	struct db d;
	struct key k;

	for (int i = 0; i < 10; i++) {
		d.at = i % 5 ? i : 0;
		d.bad = i % 5;
		d.n = 4;
		k = next(&d, "old");
		puts(k.text ? k.text : "none");
		free(k.text);
	}
	return 0;
}
