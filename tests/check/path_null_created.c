/* Every caller has a table: from a function that never returns null, or in a variable. */
#include <stdlib.h>

struct table { int n; const char *keys[10]; };

static struct table *names;

static struct table *table_create(int n)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->n = n;
	return t;
}

static int insert_ok(const char *key, struct table *t)
{
	if (!t)
		t = table_create(0);
	if (t->n == 10)
		return -1;
	t->keys[t->n++] = key;
	return 0;
}

static int insert_bad(const char *key, struct table *t)
{
	if (!t)
		t = table_create(0); // LEAK(never-freed)
	if (t->n == 10)
		return -1;
	t->keys[t->n++] = key;
	return 0;
}

int main(int argc, char **argv)
{
	struct table *t = table_create(1);
	int ret;

	names = table_create(2);
	ret = insert_ok(argv[0], t) + insert_ok(argv[0], names) + insert_bad(argv[0], argc > 1 ? t : NULL);
	free(t);
	free(names);
	return ret;
}
