/* Parent and child, after fork, work on what must be two copies of the same objects.
 *
 *	cyclic_forks N
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct item {
	long number;
	char text[100];
};

static struct item *last[3];

static struct item *new_item(long i)
{
	struct item *p = malloc(sizeof(*p));

	p->number = i;
	snprintf(p->text, sizeof(p->text), "item %ld", i);
	return p;
}

static int is_right(const struct item *p, long i)
{
	char text[100];

	snprintf(text, sizeof(text), "item %ld", i);
	return p->number == i && strcmp(p->text, text) == 0;
}

/* Allocates, changes old objects, looks at them. */
static int work(long from, long to)
{
	int bad = 0;

	for (long i = from; i < to; i++) {
		last[i % 3] = new_item(i);
		for (long k = 0; k < 3 && i - k >= from; k++)
			bad += !is_right(last[(i - k) % 3], i - k);
	}
	return bad;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 10;
	int bad = work(0, 20);

	for (long i = 0; i < n; i++) {
		int status;
		pid_t pid = fork();

		if (pid == 0) {
			last[0]->number = -1;		/* must not be seen by the parent */
			_exit(work(1000 * i, 1000 * i + 30) ? 1 : 0);
		}
		if (last[0]->number < 0)
			bad++;
		waitpid(pid, &status, 0);
		if (last[0]->number < 0 || status != 0)
			bad++;
		bad += work(20 * i, 20 * i + 20);
	}
	printf("%d wrong\n", bad);
	return bad != 0;
}
