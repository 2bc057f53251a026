// The third part of the for reads the object after the continue.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int v;
};

static struct node *list_of(int n)
{
	struct node *l = NULL;

	while (n > 0) {
		struct node *e = malloc(sizeof *e);

		if (!e)
			abort();
		e->v = n--;
		e->next = l;
		l = e;
	}
	return l;
}

static int sum_and_drop(int n)
{
	struct node *next;
	int sum = 0;

	for (struct node *e = list_of(n); e; e = next) {
		next = e->next;
		if (e->v % 2 == 0)
			continue;
		sum += e->v;
		free(e);
	}
	return sum;
}

int main(void)
{
	printf("%d\n", sum_and_drop(5));
	return 0;
}
