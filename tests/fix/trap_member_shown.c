// Only the destructor knows what to do with the member that callees look at: the object is not freed alone, and its name left.
// LEAKS: 6
// EXPECT: partial
// LEFT: 4
// NEVER: free\(sc\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shared {
	int refs, n;
	char *name;
};

static struct shared *shared_new(int n)
{
	struct shared *x = malloc(sizeof(*x));

	if (!x)
		exit(1);
	x->refs = 1;
	x->n = n;
	x->name = strdup("name");
	return x;
}

static void shared_put(struct shared *x)
{
	if (--x->refs)
		return;
	free(x->name);
	free(x);
}

static int look(const char *s)
{
	return (int)strlen(s);
}

static int run(int a, int b)
{
	struct shared *shared;
	int k = 0;

	while (k++ < 3) {
		struct shared *sc = shared_new(a);

		if (k + 1 != 2) {
			if (b + 1 != 2) {
				int ret = sc->n + look(sc->name);

				shared_put(sc);
				return ret;
			}
			continue;
		}
		shared_put(sc);
		sc = NULL;
	}
	shared = shared_new(b % 3);
	if (b % 2)
		return shared->n + look(shared->name);
	shared_put(shared);
	return 2;
}

int main(int argc, char **argv)
{
	(void)argv;
	printf("%d %d\n", run(argc, argc), run(argc, argc + 1));
	return 0;
}
