// The unwinding loop stops at one: the first element stays.
#include <stdlib.h>

struct pool { void *chunk[8]; };

int pool_fill_ok(struct pool *p)
{
	void *c[8];
	int i;

	for (i = 0; i < 8; i++)
		if (!(c[i] = malloc(512)))
			goto fail;
	for (i = 0; i < 8; i++)
		p->chunk[i] = c[i];
	return 0;
fail:
	while (--i >= 0)
		free(c[i]);
	return -1;
}

int pool_fill_bad(struct pool *p)
{
	void *c[8];
	int i;

	for (i = 0; i < 8; i++)
		if (!(c[i] = malloc(512))) // FN(path): LEAK(conditional)
			goto fail;
	for (i = 0; i < 8; i++)
		p->chunk[i] = c[i];
	return 0;
fail:
	while (--i > 0)
		free(c[i]);
	return -1;
}
