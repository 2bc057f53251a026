// The destructor is a function pointer in the object itself.
#include <stdlib.h>

struct item {
	void *data;
	void (*dtor)(void *);
};

static void item_init(struct item *it, void *data, void (*dtor)(void *))
{
	it->data = data;
	it->dtor = dtor;
}

static void item_release(struct item *it)
{
	if (it->dtor)
		it->dtor(it->data);
}

void released_ok(void)
{
	struct item it;

	item_init(&it, malloc(8), free);
	item_release(&it);
}

void not_released_bad(void)
{
	struct item it;

	item_init(&it, malloc(8), free); // LEAK(never-freed)
	it.dtor = NULL;
}

static void deep_free(void *p)
{
	char **v = p;

	free(v[0]);
	free(v);
}

void deep_ok(void)
{
	struct item it;
	char **v = calloc(2, sizeof(*v));

	if (!v)
		return;
	v[0] = malloc(4);
	item_init(&it, v, deep_free);
	item_release(&it);
}
