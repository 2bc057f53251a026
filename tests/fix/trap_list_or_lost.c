// Put into a list on one path, lost on the other.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int v;
};

static struct node *head;

static int push_positive(int v)
{
	struct node *n = malloc(sizeof *n);

	if (!n)
		return -1;
	n->v = v;
	if (n->v <= 0) {
		printf("not %d\n", v);
		return 0;
	}
	n->next = head;
	head = n;
	return 1;
}

int main(void)
{
	int sum = 0;

	push_positive(3);
	push_positive(-1);
	push_positive(4);
	while (head) {
		struct node *n = head;

		head = n->next;
		sum += n->v;
		free(n);
	}
	printf("%d\n", sum);
	return 0;
}
