// The member is overwritten while others have it: a list that got the object before, and a copy of the struct.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	char *text;
	struct item *next;
};

static struct item *items;
static struct item saved;
static char *seen[8];
static int nseen;

/* The list has the object while the loop runs: look() keeps what it finds there. */
static void look(void)
{
	for (struct item *i = items; i; i = i->next)
		if (i->text && (!nseen || seen[nseen - 1] != i->text))
			seen[nseen++] = i->text;
}

static void fill_listed(const char *const *w)
{
	struct item *i = calloc(1, sizeof *i);

	if (!i)
		abort();
	i->next = items;
	items = i;
	for (; *w; w++) {
		i->text = strdup(*w);
		look();
	}
}

static void fill_copied(const char *const *w)
{
	struct item *i = calloc(1, sizeof *i);

	if (!i)
		abort();
	for (; *w; w++) {
		if (i->text && !saved.text)
			saved = *i;
		else
			free(i->text);
		i->text = strdup(*w);
	}
	puts(i->text);
	free(i->text);
	free(i);
}

/* Another variable points to the same object. */
static void fill_twice(const char *const *w)
{
	struct item *i = calloc(1, sizeof *i), *same = i;
	char *old = NULL;

	if (!i)
		abort();
	for (; *w; w++) {
		free(old);
		old = same->text;
		i->text = strdup(*w);
	}
	printf("%s %s\n", old, same->text);
	free(old);
	free(same->text);
	free(same);
}

int main(void)
{
	static const char *const w[] = { "a", "b", "c", NULL };
	struct item *i;

	fill_listed(w);
	while ((i = items)) {
		items = i->next;
		free(i);
	}
	while (nseen) {
		puts(seen[--nseen]);
		free(seen[nseen]);
	}
	fill_copied(w);
	puts(saved.text);
	free(saved.text);
	fill_twice(w);
	return 0;
}
