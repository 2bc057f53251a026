// A library: the destructor frees one member of what the constructor made, and forgets the other.
// Nobody in the unit hands the forgotten one on.
#include <stdlib.h>
#include <string.h>

struct entry {
	char *key;
	char *value;
};

struct entry *entry_new(const char *key, const char *value)
{
	struct entry *e = malloc(sizeof(*e));

	if (!e)
		return NULL;
	e->key = strdup(key);
	e->value = strdup(value); // FN(path): LEAK(never-freed)
	return e;
}

const char *entry_value(const struct entry *e)
{
	return e->value;
}

int entry_matches(const struct entry *e, const char *value)
{
	return strcmp(e->value, value) == 0;
}

void entry_free(struct entry *e)
{
	free(e->key);
	free(e);
}

/* The same, but what is forgotten there can be taken out by others. */
struct parcel {
	char *from;
	char *content;
};

struct parcel *parcel_new(const char *from, const char *content)
{
	struct parcel *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	p->from = strdup(from);
	p->content = strdup(content);
	return p;
}

char *parcel_take(struct parcel *p)
{
	return p->content;
}

void parcel_free(struct parcel *p)
{
	free(p->from);
	free(p);
}
