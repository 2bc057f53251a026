// A table that refuses an entry has taken its name all the same: the entry and its value are lost, the name is not.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	struct entry *next;
	char *name, *value;
};

static struct entry *table;
static char *last_name;

static int insert(struct entry *e)
{
	for (struct entry *x = table; x; x = x->next)
		if (strcmp(x->name, e->name) == 0) {
			free(last_name);
			last_name = e->name;
			return -1;
		}
	e->next = table;
	table = e;
	return 0;
}

static void set(const char *name, const char *value)
{
	struct entry *e = malloc(sizeof(*e));

	if (!e)
		return;
	e->name = strdup(name);
	e->value = strdup(value);
	insert(e);
}

int main(void)
{
	set("a", "1");
	set("b", "2");
	set("a", "3");
	printf("%s\n", last_name);
	free(last_name);
	while (table) {
		struct entry *e = table;

		printf("%s=%s\n", e->name, e->value);
		table = e->next;
		free(e->name);
		free(e->value);
		free(e);
	}
	return 0;
}
