// Forty values of ?: in a row, none of which is a branch: 2^40 paths, of which one is enough.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flags {
	unsigned bit[40];
};

#define ONE(k) printf("%d: %s\n", k, f->bit[k] ? "on" : "off")
#define FIVE(k) ONE(k), ONE(k + 1), ONE(k + 2), ONE(k + 3), ONE(k + 4)

static void show(const struct flags *f)
{
	FIVE(0), FIVE(5), FIVE(10), FIVE(15), FIVE(20), FIVE(25), FIVE(30), FIVE(35);
}

int show_copy_bad(const struct flags *f)
{
	struct flags *c = malloc(sizeof(*c));	// LEAK(conditional)

	if (!c)
		return -1;
	memcpy(c, f, sizeof(*c));
	show(c);
	if (f->bit[3])
		return 1;
	free(c);
	return 0;
}

int show_copy_ok(const struct flags *f)
{
	struct flags *c = malloc(sizeof(*c));

	if (!c)
		return -1;
	memcpy(c, f, sizeof(*c));
	show(c);
	free(c);
	return 0;
}

int shown_here_bad(const struct flags *g)
{
	struct flags *f = malloc(sizeof(*f));	// LEAK(conditional)

	if (!f)
		return -1;
	memcpy(f, g, sizeof(*f));
	FIVE(0), FIVE(5), FIVE(10), FIVE(15), FIVE(20), FIVE(25), FIVE(30), FIVE(35);
	if (g->bit[3])
		return 1;
	free(f);
	return 0;
}
