// Who frees the member is found in the object: a clean-up function and its argument.
#include <stdlib.h>
#include <string.h>

struct task {
	void (*cleanup)(void *);
	void *arg;
	struct task *next;
};

static struct task *tasks;

static void push(void (*cleanup)(void *), void *arg)
{
	struct task *t = malloc(sizeof(*t));

	if (!t)
		exit(2);
	t->cleanup = cleanup;
	t->arg = arg;
	t->next = tasks;
	tasks = t;
}

static void run_all(void)
{
	while (tasks) {
		struct task *t = tasks;

		tasks = t->next;
		if (t->cleanup)
			t->cleanup(t->arg);
		free(t);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		push(free, strdup(argv[i]));
		run_all();
	}
	return 0;
}
