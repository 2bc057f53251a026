// alexpevzner/sane-airscan 43: from a link in the middle of an object back to the object, which is
// freed with a member; the tool took both for the same memory.
#include <stddef.h>
#include <stdlib.h>

#define OUTER(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct link {
	struct link *next;
};

struct query {
	void *context;
	char *uri;
	struct link link;
};

static struct link queries;

int query_add_ok(size_t n)
{
	struct query *q = calloc(1, sizeof(*q));

	if (!q)
		return -1;
	q->uri = malloc(n);
	q->link.next = queries.next;
	queries.next = &q->link;
	return 0;
}

void query_first_free_ok(void)
{
	struct link *l = queries.next;
	struct query *q;

	if (!l)
		return;
	queries.next = l->next;
	q = OUTER(l, struct query, link);
	free(q->uri);
	free(q);
}

void query_twice_bad(void)
{
	struct link *l = queries.next;
	struct query *q;

	if (!l)
		return;
	queries.next = l->next;
	q = OUTER(l, struct query, link);
	free(q->uri);
	free(q->uri); // FN: DOUBLE-FREE
	free(q);
}
