// The callee gets the array, and a pointer into it as well: it only reads and writes there.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>

struct entry {
	int fd, events;
};

static int drop(struct entry *one, struct entry *all, int *n, int (*ask)(int))
{
	if (!ask(one->fd))
		return -1;
	if (one != NULL)
		*one = all[--(*n)];
	return 0;
}

static int is_small(int fd)
{
	return fd < 2;
}

static int run(int n)
{
	struct entry *all = calloc(4, sizeof(*all));
	int i, left = 4;

	if (!all)
		return -1;
	for (i = 0; i < 4; i++)
		all[i].fd = i + n;
	for (i = 0; i < left; i++) {
		struct entry *one = &all[i];

		if (drop(one, all, &left, is_small) < 0)
			goto done;
	}
	free(all);
	return left;
done:
	return -left;
}

int main(void)
{
	printf("%d %d %d\n", run(0), run(1), run(-4));
	return 0;
}
