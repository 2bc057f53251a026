// Find or make: the result may be new, but the table holds it.
#include <stdlib.h>
#include <string.h>

struct sym { struct sym *next; char *name; int val; };

static struct sym *table[64];

static unsigned hash(const char *s)
{
	unsigned h = 5381;

	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h % 64;
}

struct sym *intern(const char *name)
{
	unsigned h = hash(name);
	struct sym *s;

	for (s = table[h]; s; s = s->next)
		if (!strcmp(s->name, name))
			return s;
	s = malloc(sizeof(*s));
	if (!s)
		return NULL;
	s->name = strdup(name);
	s->val = 0;
	s->next = table[h];
	table[h] = s;
	return s;
}

int set_ok(const char *name, int v)
{
	struct sym *s = intern(name);

	if (!s)
		return -1;
	s->val = v;
	return 0;
}

int name_lost_bad(const char *name)
{
	struct sym *s;
	char *copy = strdup(name); // LEAK(never-freed)

	s = intern(copy);
	return s ? s->val : -1;
}
