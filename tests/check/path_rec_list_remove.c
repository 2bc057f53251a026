// Taken out of a list, and freed or not.
#include <stdlib.h>
#include <string.h>

struct ent { struct ent *next; char *key; };

static struct ent *head;

int add(const char *key)
{
	struct ent *e = malloc(sizeof(*e));

	if (!e)
		return -1;
	e->key = strdup(key);
	if (!e->key) {
		free(e);
		return -1;
	}
	e->next = head;
	head = e;
	return 0;
}

int remove_ok(const char *key)
{
	struct ent **p, *e;

	for (p = &head; (e = *p); p = &e->next) {
		if (strcmp(e->key, key) != 0)
			continue;
		*p = e->next;
		free(e->key);
		free(e);
		return 1;
	}
	return 0;
}
