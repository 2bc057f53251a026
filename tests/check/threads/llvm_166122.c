// llvm/llvm-project 166122: a library hands out its objects through a parameter, for which there is no
// attribute.  A model says it.
// RUN: plumb check --model %S/llvm_166122.model %s
#include <stddef.h>

struct shelf;
int shelf_create(const char *name, struct shelf **out);
void shelf_destroy(struct shelf *s);
int shelf_put(struct shelf *s, int v);

int destroyed_ok(const char *name)
{
	struct shelf *s;
	int ret;

	if (shelf_create(name, &s) != 0)
		return -1;
	ret = shelf_put(s, 1);
	shelf_destroy(s);
	return ret;
}

int not_on_error_bad(const char *name)
{
	struct shelf *s;

	if (shelf_create(name, &s) != 0) // LEAK(conditional)
		return -1;
	if (shelf_put(s, 1) != 0)
		return -1;
	shelf_destroy(s);
	return 0;
}
