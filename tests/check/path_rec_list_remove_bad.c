// The key is forgotten when an entry is taken out and freed.
#include <stdlib.h>
#include <string.h>

struct ent { struct ent *next; char *key; };

static struct ent *head;

int add(const char *key)
{
	struct ent *e = malloc(sizeof(*e));

	if (!e)
		return -1;
	e->key = strdup(key); // FN(path): LEAK(never-freed)
	if (!e->key) {
		free(e);
		return -1;
	}
	e->next = head;
	head = e;
	return 0;
}

int remove_bad(const char *key)
{
	struct ent **p, *e;

	for (p = &head; (e = *p); p = &e->next) {
		if (strcmp(e->key, key) != 0)
			continue;
		*p = e->next;
		free(e);
		return 1;
	}
	return 0;
}
