/* true: the list is for the last target, copied for the others; if the last one does not match, nobody
 * has it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dep { struct dep *next; char *name; };
struct file { struct file *next; struct dep *deps; char *name; };
struct name { struct name *next; const char *text; };

static struct file *files;

static struct dep *dep_new(const char *name)
{
	struct dep *d = calloc(1, sizeof(*d));

	if (!d || !(d->name = strdup(name)))
		abort();
	return d;
}

static struct dep *split(char *text)
{
	struct dep *list = NULL, **end = &list;

	for (char *t = strtok(text, " "); t; t = strtok(NULL, " ")) {
		*end = dep_new(t); // FN(vfg): LEAK@deps: by record()
		end = &(*end)->next;
	}
	return list;
}

static struct dep *copy_chain(const struct dep *d)
{
	struct dep *list = NULL, **end = &list;

	for (; d; d = d->next) {
		*end = dep_new(d->name);
		end = &(*end)->next;
	}
	return list;
}

static struct file *enter(const char *name)
{
	struct file *f = calloc(1, sizeof(*f));

	if (!f || !(f->name = strdup(name)))
		abort();
	f->next = files;
	files = f;
	return f;
}

void record(struct name *names, char *text, const char *pattern, int second)
{
	struct dep *deps;

	if (second) {
		deps = dep_new(text); // LEAK(conditional)
	} else {
		deps = split(text); // FN(vfg): LEAK@deps
	}
	for (;;) {
		struct name *next = names->next;
		struct dep *this = NULL;
		struct file *f;

		if (pattern && !strstr(names->text, pattern))
			fprintf(stderr, "%s does not match\n", names->text);
		else if (deps)
			this = next != NULL ? copy_chain(deps) : deps;
		f = enter(names->text);
		if (this) {
			struct dep **end = &f->deps;
			while (*end)
				end = &(*end)->next;
			*end = this;
		}
		names = next;
		if (names == NULL)
			break;
	}
}
