// attach() makes a message only where it returns NULL.  Who goes through the result and never
// asks knows that it is not; who asks, in whatever way, may forget the message.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct link { int index; struct link *next; };
struct list { struct link *first; int error; };

extern int verbose(int), number_of(const char *);
extern void print(int);

static struct link *attach(struct list *l, int index, char **cause)
{
	struct link *k;

	for (k = l->first; k; k = k->next)
		if (k->index == index) {
			*cause = strdup("index in use");
			l->error = 1;
			return NULL;
		}
	k = malloc(sizeof(*k));
	if (!k)
		exit(1);
	k->index = index;
	k->next = l->first;
	l->first = k;
	return k;
}

void cannot_fail_ok(struct list *l, const char *name)
{
	struct link *k;
	char *cause;

	k = attach(l, number_of(name), &cause); // FP(never-freed,vfg)
	if (!verbose(1))
		print(k->index);
}

int asks_bad(struct list *l, const char *name)
{
	struct link *k;
	char *cause;

	k = attach(l, number_of(name), &cause); // LEAK
	if (!k)
		return -1;
	if (!verbose(1))
		print(k->index);
	return 0;
}

int asks_memory_bad(struct list *l, const char *name)
{
	struct link *k;
	char *cause;

	l->error = 0;
	k = attach(l, number_of(name), &cause); // LEAK
	if (l->error)
		return -1;
	print(k->index);
	return 0;
}

int asks_cause_bad(struct list *l, const char *name)
{
	struct link *k;
	char *cause = NULL;

	k = attach(l, number_of(name), &cause); // LEAK
	if (cause)
		return -1;
	print(k->index);
	return 0;
}

void only_keeps_bad(struct list *l, const char *name, struct link **out)
{
	char *cause;

	*out = attach(l, number_of(name), &cause); // LEAK
}
