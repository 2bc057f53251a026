// Past the paper: the type has a destructor: that is called, not free.
// LEAKS: 3
// PATCH: ^\+.*list_free\(l\);
// NEVER: ^\+.*\bfree\(l\);
#include <stdio.h>
#include <stdlib.h>

struct item {
	struct item *next;
	int v;
};

struct list {
	struct item *head;
	int n;
};

static struct list *list_new(void)
{
	return calloc(1, sizeof(struct list));
}

static void list_add(struct list *l, int v)
{
	struct item *i = malloc(sizeof *i);

	if (!i)
		abort();
	i->v = v;
	i->next = l->head;
	l->head = i;
	l->n++;
}

static void list_free(struct list *l)
{
	while (l->head) {
		struct item *i = l->head;

		l->head = i->next;
		free(i);
	}
	free(l);
}

static int sum(int n, int limit)
{
	struct list *l = list_new();
	int s = 0;

	if (!l)
		return -1;
	for (int i = 1; i <= n; i++)
		list_add(l, i);
	if (l->n > limit) {
		printf("too many\n");
		return -2;
	}
	for (struct item *i = l->head; i; i = i->next)
		s += i->v;
	list_free(l);
	return s;
}

int main(void)
{
	printf("%d\n", sum(3, 3));
	printf("%d\n", sum(0, 0));
	printf("%d\n", sum(2, 1));
	return 0;
}
