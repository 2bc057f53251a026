// Only the link inside of the object is in the list; the pointer to the object dies.
// LEAKS: 1
// EXPECT: either
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct link {
	struct link *next;
};

struct task {
	int id;
	struct link link;
};

static struct link *queue;

static int submit(int id)
{
	struct task *t = malloc(sizeof *t);

	if (!t)
		return -1;
	t->id = id;
	if (id < 0)
		return -2;
	t->link.next = queue;
	queue = &t->link;
	return 0;
}

int main(void)
{
	printf("%d %d %d\n", submit(1), submit(-1), submit(2));
	while (queue) {
		struct task *t = (struct task *)((char *)queue - offsetof(struct task, link));

		queue = queue->next;
		printf("%d\n", t->id);
		free(t);
	}
	return 0;
}
