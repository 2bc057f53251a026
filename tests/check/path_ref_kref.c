// The count is embedded, and the release function is passed along.
#include <stddef.h>
#include <stdlib.h>

struct kref { int n; };
struct dev { char *name; struct kref ref; };

static void kref_init(struct kref *k) { k->n = 1; }
static void kref_get(struct kref *k) { k->n++; }

static int kref_put(struct kref *k, void (*release)(struct kref *))
{
	if (--k->n == 0) {
		release(k);
		return 1;
	}
	return 0;
}

static void dev_release(struct kref *k)
{
	struct dev *d = (struct dev *)((char *)k - offsetof(struct dev, ref));

	free(d->name);
	free(d);
}

static struct dev *dev_new(void)
{
	struct dev *d = malloc(sizeof(*d));

	if (!d)
		return NULL;
	d->name = malloc(8);
	kref_init(&d->ref);
	return d;
}

int probe_ok(int twice)
{
	struct dev *d = dev_new();

	if (!d)
		return -1;
	if (twice) {
		kref_get(&d->ref);
		kref_put(&d->ref, dev_release);
	}
	kref_put(&d->ref, dev_release);
	return 0;
}

int probe_bad(int id)
{
	struct dev *d = dev_new(); // LEAK(conditional)

	if (!d)
		return -1;
	if (id < 0)
		return -2;
	kref_put(&d->ref, dev_release);
	return 0;
}
