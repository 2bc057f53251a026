// take() moves a string out of a variable and leaves null behind.
#include <stdlib.h>
#include <string.h>

struct doc { char *title; };

static char *take(char **p)
{
	char *s = *p;

	*p = NULL;
	return s;
}

int title_ok(struct doc *d, const char *text, int force)
{
	char *t = strdup(text);

	if (!t)
		return -1;
	if (!d->title || force) {
		free(d->title);
		d->title = take(&t);
	}
	free(t);
	return 0;
}

int title_bad(struct doc *d, const char *text, int force)
{
	char *t = strdup(text), *s; // FN(vfg): LEAK(conditional)

	if (!t)
		return -1;
	s = take(&t);
	if (force) {
		free(d->title);
		d->title = s;
	}
	free(t);
	return 0;
}
