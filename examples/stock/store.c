#include "stock.h"

#include <stdlib.h>
#include <string.h>

struct item *stock_find(struct stock *s, const char *name)
{
	for (struct item *i = s->items; i; i = i->next)
		if (strcmp(i->name, name) == 0)
			return i;
	return NULL;
}

/* Lower case, no blanks at the ends: "  Bolt M6 " is "bolt m6". */
static void tidy(char *name)
{
	size_t lead = strspn(name, " \t"), n;

	memmove(name, name + lead, strlen(name + lead) + 1);
	for (n = strlen(name); n && (name[n - 1] == ' ' || name[n - 1] == '\t'); n--)
		name[n - 1] = '\0';
	for (char *p = name; *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p += 'a' - 'A';
}

int stock_add(struct stock *s, const char *name, long count)
{
	char *key = strdup(name);
	struct item *i;

	if (!key)
		return -1;
	tidy(key);
	if (*key == '\0')
		key = strdup("(no name)");
	i = stock_find(s, key);
	if (i) {
		i->count += count;
		free(key);
		return 0;
	}
	i = malloc(sizeof(*i));
	if (!i) {
		free(key);
		return -1;
	}
	i->name = key;
	i->count = count;
	i->next = s->items;
	s->items = i;
	s->n++;
	return 0;
}

void stock_clear(struct stock *s)
{
	while (s->items) {
		struct item *next = s->items->next;

		free(s->items->name);
		free(s->items);
		s->items = next;
	}
	s->n = 0;
}
