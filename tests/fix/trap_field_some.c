// What the member held is kept by a list on some rounds, and by a second struct: only on the others it is lost.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	char *text;
	int n;
};

static char *seen[8];
static int nseen;

static void fill_some(const char *const *w)
{
	struct item *i = calloc(1, sizeof *i);

	if (!i)
		abort();
	for (; *w; w++) {
		if (**w == 'k') {
			if (i->text)
				seen[nseen++] = i->text;
		}
		i->text = strdup(*w);
	}
	puts(i->text);
	free(i->text);
	free(i);
}

static void fill_two(const char *const *w)
{
	struct item *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);

	if (!a || !b)
		abort();
	for (; *w; w++) {
		if (**w == 'k') {
			free(b->text);
			b->text = a->text;
		}
		a->text = strdup(*w);
	}
	printf("%s %s\n", a->text, b->text ? b->text : "-");
	free(a->text);
	free(b->text);
	free(a);
	free(b);
}

int main(void)
{
	static const char *const v[] = { "a", "b", "k", "c", NULL };
	static const char *const w[] = { "a", "k", "kb", NULL };

	fill_some(v);
	fill_some(w);
	while (nseen) {
		puts(seen[--nseen]);
		free(seen[nseen]);
	}
	fill_two(v);
	fill_two(w);
	return 0;
}
