/* a table's row says whether its function makes a string or shows a part */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree { long created; const char *name; };
enum kind { TEXT, TIME };

static void *get_name(struct tree *t) { return t->name ? strdup(t->name) : NULL; }
static void *get_empty(struct tree *t) { (void)t; return strdup(""); }
static void *get_created(struct tree *t) { return t->created ? &t->created : NULL; }

static const struct row {
	const char *key;
	enum kind kind;
	void *(*get)(struct tree *);
} table[] = {
	{ "name", TEXT, get_name },
	{ "created", TIME, get_created },
	{ "empty", TEXT, get_empty },
};

void each(struct tree *t, void (*show)(const char *, const char *))
{
	char s[64];

	for (unsigned i = 0; i < sizeof(table) / sizeof(*table); i++) {
		void *value = table[i].get(t);

		if (value == NULL)
			continue;
		if (table[i].kind == TIME) {
			snprintf(s, sizeof(s), "%ld", *(long *)value);
			show(table[i].key, s);
		} else {
			show(table[i].key, value);
			free(value);
		}
	}
}

static const struct row odd[] = {
	{ "name", TEXT, get_name },
	{ "empty", TIME, get_empty },
};

void each_odd(struct tree *t, void (*show)(const char *, const char *))
{
	for (unsigned i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		void *value = odd[i].get(t); // FN(path): LEAK(conditional)

		if (value == NULL)
			continue;
		show(odd[i].key, odd[i].kind == TIME ? "time" : value);
		if (odd[i].kind != TIME)
			free(value);
	}
}
