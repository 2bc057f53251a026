// llvm/llvm-project 167586: an element is taken out of a queue of <sys/queue.h> and freed, then the
// queue is walked again: the element was reported as used after it was freed.  Freed without being
// taken out, it is used.
#include <stdlib.h>
#include <sys/queue.h>

struct item {
	int n;
	STAILQ_ENTRY(item) link;
};

STAILQ_HEAD(items, item);

static struct items all = STAILQ_HEAD_INITIALIZER(all);

int put_ok(int n)
{
	struct item *i = calloc(1, sizeof(*i));

	if (!i)
		return -1;
	i->n = n;
	STAILQ_INSERT_TAIL(&all, i, link);
	return 0;
}

void take_out_ok(int n)
{
	struct item *i;
	int removed;

	do {
		removed = 0;
		STAILQ_FOREACH(i, &all, link) {
			if (i->n == n) {
				STAILQ_REMOVE(&all, i, item, link);
				free(i);
				removed = 1;
				break;
			}
		}
	} while (removed);
}

int walk_on_bad(int n)
{
	struct item *i;

	STAILQ_FOREACH(i, &all, link) { // FN: USE-AFTER-FREE
		if (i->n == n)
			free(i);
	}
	return 0;
}
