// Conditional, not never freed: it is freed behind more rounds than an engine goes, or by the function that made it on its way out.
#include <stdlib.h>
#include <string.h>

int ready(int i);

/* freed behind the fifth round; the path engine goes two */
int after_rounds_bad(const char *s)
{
	char *copy = strdup(s); // LEAK(conditional)

	if (!copy)
		return -1;
	for (int i = 0; i != 5; i++)
		if (ready(i))
			return i;
	free(copy);
	return 5;
}

int never_bad(const char *s)
{
	char *copy = strdup(s); // LEAK(never-freed)
	int rounds = 0;

	if (!copy)
		return -1;
	while (ready(rounds))
		rounds++;
	return rounds + copy[0];
}

struct box {
	char *text;
	int n;
};

static int fill(struct box *b, const char *s, int n)
{
	b->text = strdup(s); // LEAK(conditional)
	b->n = n;
	if (n < 0) {
		free(b->text);
		return -1;
	}
	return 0;
}

int freed_where_made_bad(const char *s, int n)
{
	struct box b;

	return fill(&b, s, n) < 0 ? -1 : b.n;
}
