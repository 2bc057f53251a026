// The same with atomic counters, as threads need it.
#include <stdatomic.h>
#include <stdlib.h>

struct page { atomic_int refs; char *data; };

static struct page *page_new(void)
{
	struct page *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	atomic_init(&p->refs, 1);
	p->data = malloc(4096);
	return p;
}

static void page_get(struct page *p)
{
	atomic_fetch_add(&p->refs, 1);
}

static void page_put(struct page *p)
{
	if (atomic_fetch_sub(&p->refs, 1) == 1) {
		free(p->data);
		free(p);
	}
}

struct cache { struct page *hot; };

int read_ok(struct cache *c)
{
	struct page *p = page_new();

	if (!p)
		return -1;
	if (!c->hot) {
		page_get(p);
		c->hot = p;
	}
	page_put(p);
	return 0;
}

int read_bad(int n)
{
	struct page *p = page_new(); // LEAK(conditional)

	if (!p)
		return -1;
	if (n == 0)
		return 0;
	page_put(p);
	return 1;
}
