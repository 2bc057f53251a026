// Drivers register their operations in another unit.
#include "ops.h"

#include <stddef.h>

extern const struct ops file_ops, null_ops;

static const struct ops *const all[] = { &file_ops, &null_ops };

int use_ok(unsigned k)
{
	const struct ops *o = all[k % 2];
	void *h = o->open("x");

	if (!h)
		return -1;
	o->close(h);
	return 0;
}

int use_bad(unsigned k, int n)
{
	const struct ops *o = all[k % 2];
	void *h = o->open("x"); // FN(path): LEAK(conditional)

	if (!h)
		return -1;
	if (n < 0)
		return -2;
	o->close(h);
	return 0;
}
