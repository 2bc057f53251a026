// One unit of a library, callers unknown: what is handed to them is theirs.
#include <stdlib.h>
#include <string.h>

struct doc { char *title; char **line; int n; };

void doc_free(struct doc *d)
{
	int i;

	if (!d)
		return;
	for (i = 0; i < d->n; i++)
		free(d->line[i]);
	free(d->line);
	free(d->title);
	free(d);
}

struct doc *doc_parse(const char *text)
{
	struct doc *d = calloc(1, sizeof(*d));
	char *copy;

	if (!d)
		return NULL;
	copy = strdup(text); // LEAK(conditional)
	if (!copy) {
		doc_free(d);
		return NULL;
	}
	d->title = strdup(copy);
	if (!d->title) {
		doc_free(d);
		return NULL;	/* copy stays behind */
	}
	free(copy);
	return d;
}

int doc_title(const struct doc *d, char **out)
{
	*out = strdup(d->title);
	return *out ? 0 : -1;
}

char *doc_take_line(struct doc *d, int i)
{
	char *s;

	if (i < 0 || i >= d->n)
		return NULL;
	s = d->line[i];
	d->line[i] = NULL;
	return s;
}
