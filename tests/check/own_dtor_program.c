// A whole program: entries go into a list that main holds; they are freed without one member.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	char *name;
	char *note;
	struct entry *next;
};

struct list {
	struct entry *head;
	int n;
};

static int list_add(struct list *l, const char *name, const char *note)
{
	struct entry *e = malloc(sizeof(*e));

	if (!e)
		return -1;
	e->name = strdup(name);
	e->note = strdup(note); // LEAK(never-freed)
	e->next = l->head;
	l->head = e;
	l->n++;
	return 0;
}

static void list_clear(struct list *l)
{
	while (l->head) {
		struct entry *e = l->head;

		l->head = e->next;
		free(e->name);
		free(e);
	}
}

int main(int argc, char **argv)
{
	struct list l = {0};

	for (int i = 0; i < argc; i++) {
		list_add(&l, argv[i], "seen");
		if (i % 2)
			list_clear(&l);
	}
	if (l.head)
		printf("%d %s\n", l.n, l.head->note);
	list_clear(&l);
	return 0;
}
