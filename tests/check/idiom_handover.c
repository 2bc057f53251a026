// Ownership that moves: the local pointer is set to null once somebody else has it.
#include <stdlib.h>
#include <string.h>

struct doc { char *title, *body; };

int steal_ok(struct doc **out, const char *title)
{
	struct doc *d = calloc(1, sizeof(*d));
	char *t = NULL;
	int ret = -1;

	if (!d)
		goto done;
	t = strdup(title);
	if (!t)
		goto done;
	d->title = t;
	t = NULL;
	*out = d;
	d = NULL;
	ret = 0;
done:
	free(t);
	free(d);
	return ret;
}

int forgets_to_hand_over_bad(struct doc **out, const char *title)
{
	struct doc *d = calloc(1, sizeof(*d)); // LEAK(overwritten)
	int ret = -1;

	if (!d)
		goto done;
	if (!*title)
		goto done;
	*out = NULL;
	d = NULL;	/* nobody has it */
	ret = 0;
done:
	free(d);
	return ret;
}

char *swap_in_ok(struct doc *d, const char *s)
{
	char *old = d->title;

	d->title = strdup(s);
	return old;
}
