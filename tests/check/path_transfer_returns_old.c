// table_put() gives back the value that was there before: the caller's to free.
#include <stdlib.h>
#include <string.h>

struct table { char *value[32]; };

static char *table_put(struct table *t, unsigned key, char *value)
{
	char *old = t->value[key % 32];

	t->value[key % 32] = value;
	return old;
}

void set_ok(struct table *t, unsigned key, const char *v)
{
	free(table_put(t, key, strdup(v)));
}

void set_new_ok(const char *v)
{
	struct table t;
	int i;

	memset(&t, 0, sizeof(t));
	free(table_put(&t, 1, strdup(v)));
	free(table_put(&t, 1, strdup(v)));
	for (i = 0; i < 32; i++)
		free(t.value[i]);
}

void set_new_bad(const char *v)
{
	struct table t;
	int i;

	memset(&t, 0, sizeof(t));
	table_put(&t, 1, strdup(v)); // FN: LEAK
	table_put(&t, 1, strdup(v));
	for (i = 0; i < 32; i++)
		free(t.value[i]);
}
