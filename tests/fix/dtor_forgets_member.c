// Past the paper: the destructor forgets a member: it is freed there, before its holder.
// LEAKS: 4
// PATCH: ^\+\t\tfree\(e->note\);
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
	e->note = strdup(note);
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

int main(void)
{
	static const char *const words[] = { "a", "b", "c", "d" };
	struct list l = {0};

	for (int i = 0; i < 4; i++) {
		list_add(&l, words[i], "seen");
		printf("%d %s\n", l.n, l.head->note);
		if (i % 2)
			list_clear(&l);
	}
	list_clear(&l);
	return 0;
}
