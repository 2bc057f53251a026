// A field is set to null without a free.
#include <stdlib.h>
#include <string.h>

struct entry { char *value; };

int cycle_ok(const char *s)
{
	struct entry *e = calloc(1, sizeof(*e));

	if (!e)
		return -1;
	e->value = strdup(s);
	free(e->value);
	e->value = NULL;
	free(e);
	return 0;
}

int cycle_bad(const char *s, int reset)
{
	struct entry *e = calloc(1, sizeof(*e));

	if (!e)
		return -1;
	e->value = strdup(s); // LEAK
	if (reset)
		e->value = NULL;
	free(e->value);
	free(e);
	return 0;
}
