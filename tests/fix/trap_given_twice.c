// The callee gets the array, and a pointer into it as well, which it keeps.
// LEAKS: 1
// HELD: 1
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>

struct entry {
	int fd, events;
};

static struct entry *last;

static int note(struct entry *one, struct entry *all, int n)
{
	if (n > 2)
		return -1;
	last = one;
	return all[0].fd;
}

static int run(int n)
{
	struct entry *all = calloc(4, sizeof(*all));

	if (!all)
		return -1;
	all[0].fd = n;
	if (note(&all[0], all, n) < 0)
		return -1;
	return 0;
}

int main(void)
{
	printf("%d %d\n", run(1), run(3));
	printf("%d\n", last->fd);
	return 0;
}
