/*
 * resource.c - kinds of resources (resource.h).
 */
#include "effect/resource.h"

static struct resource memory = { .name = "memory", .text = "memory" };

bool resource_is_memory(const struct resource *r)
{
	return str_eq(r->name, memory.name);
}

bool resource_equal(const struct resource *a, const struct resource *b)
{
	return a == b || (a && b && str_eq(a->name, b->name));
}

void resources_init(struct resources *s)
{
	*s = (struct resources){0};
	resources_add(s, &memory);
}

void resources_release(struct resources *s)
{
	resource_index_release(&s->by_name);
	vec_release(&s->all);
}

void resources_check(const struct resources *s)
{
	assert(s->all.n && s->all.v[0] == &memory && s->all.n == s->by_name.n);
	for (uint32_t i = 0; i < s->all.n; i++) {
		assert(s->all.v[i]->text);
		assert(*resource_index_get(&s->by_name, s->all.v[i]->name) == i);
	}
}

void resources_add(struct resources *s, struct resource *r)
{
	bool is_new;
	uint32_t *slot = resource_index_put(&s->by_name, r->name, &is_new);

	assert(is_new);
	*slot = s->all.n;
	vec_push(&s->all, r);
}

struct resource *resources_find(const struct resources *s, const char *name)
{
	const uint32_t *i = resource_index_get(&s->by_name, name);

	return i ? s->all.v[*i] : NULL;
}
