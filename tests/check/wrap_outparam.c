// Wrappers that return a status and the object through a parameter, in two layers.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int alloc_bytes(void **out, size_t n)
{
	void *p = malloc(n);

	if (!p)
		return -ENOMEM;
	*out = p;
	return 0;
}

static int alloc_zeroed(void **out, size_t n)
{
	int err = alloc_bytes(out, n);

	if (!err)
		memset(*out, 0, n);
	return err;
}

int direct_ok(void)
{
	void *p;

	if (alloc_bytes(&p, 8))
		return -1;
	free(p);
	return 0;
}

int direct_bad(void)
{
	void *p;

	if (alloc_bytes(&p, 8)) // LEAK(never-freed)
		return -1;
	*(char *)p = 1;
	return 0;
}

int two_layers_ok(void)
{
	void *p = NULL;
	int err = alloc_zeroed(&p, 8);

	if (err)
		return err;
	free(p);
	return 0;
}

int two_layers_bad(int n)
{
	void *p = NULL;
	int err = alloc_zeroed(&p, 8); // LEAK(conditional)

	if (err)
		return err;
	if (n < 0)
		return -EINVAL;
	free(p);
	return 0;
}
