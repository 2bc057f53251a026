// Labels in stages, each undoing one step more.
#include <stdlib.h>

struct dev {
	int *regs, *ring, *dma;
};

int probe(void);

int staged_ok(void)
{
	int *a, *b;
	int err = -1;

	a = malloc(8);
	if (!a)
		goto fail;
	b = malloc(8);
	if (!b)
		goto fail_a;
	if (probe() < 0)
		goto fail_b;
	err = 0;
fail_b:
	free(b);
fail_a:
	free(a);
fail:
	return err;
}

int wrong_stage_bad(void)
{
	int *a, *b;
	int err = -1;

	a = malloc(8);
	if (!a)
		goto fail;
	b = malloc(8); // LEAK(conditional)
	if (!b)
		goto fail_a;
	if (probe() < 0)
		goto fail_a;	/* should be fail_b */
	err = 0;
	free(b);
fail_a:
	free(a);
fail:
	return err;
}

int fails_keeps_on_success_bad(struct dev *d)
{
	d->regs = NULL;
	int *regs = malloc(64); // LEAK(conditional)
	int *ring = malloc(64);

	if (probe() < 0)
		goto undo_ring;
	d->regs = regs;
	d->ring = ring;
	return 0;
undo_ring:
	free(ring);
	return -1;
}
