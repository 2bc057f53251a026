// Intrusive lists: the list knows only the link inside the object.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct list { struct list *prev, *next; };

static void list_init(struct list *l)
{
	l->prev = l->next = l;
}

static void list_add(struct list *head, struct list *l)
{
	l->next = head->next;
	l->prev = head;
	head->next->prev = l;
	head->next = l;
}

static void list_del(struct list *l)
{
	l->prev->next = l->next;
	l->next->prev = l->prev;
}

struct task { int id; char *name; struct list link; };

static void task_add(struct list *head, const char *name)
{
	struct task *t = malloc(sizeof(*t));

	if (!t)
		return;
	t->name = strdup(name);
	list_add(head, &t->link);
}

static void tasks_clear(struct list *head)
{
	while (head->next != head) {
		struct task *t = container_of(head->next, struct task, link);

		list_del(&t->link);
		free(t->name);
		free(t);
	}
}

int local_list_ok(char **v, int n)
{
	struct list head;

	list_init(&head);
	for (int i = 0; i < n; i++)
		task_add(&head, v[i]);
	tasks_clear(&head);
	return 0;
}

int callers_list_ok(struct list *head, const char *name)
{
	task_add(head, name);
	return 0;
}
