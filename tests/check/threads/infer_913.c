// facebook/infer 913: a member is freed by a release function that has a flag and calls another one;
// the member was reported.  One that leaves it alone for some values of the flag must be reported.
#include <stdlib.h>
#include <string.h>

enum { WIPE = 1, KEEP = 2 };

struct work {
	unsigned char *region;
	size_t n;
};

static void region_free(struct work *w, int wipe)
{
	if (wipe && w->region)
		memset(w->region, 0, w->n);
	free(w->region);
}

static void work_release(struct work *w, int flags)
{
	region_free(w, flags & WIPE);
	w->region = NULL;
}

static void work_release_unless(struct work *w, int flags)
{
	if (flags & KEEP)
		return;
	work_release(w, flags);
}

static int work_init(struct work *w, size_t n)
{
	w->n = n;
	w->region = malloc(n);
	return w->region ? 0 : -1;
}

int hash_ok(size_t n, int flags)
{
	struct work w = { NULL, 0 };
	int ret = work_init(&w, n);

	if (ret == 0)
		ret = w.region[0];
	work_release(&w, flags);
	return ret;
}

static int work_init_bad(struct work *w, size_t n)
{
	w->n = n;
	w->region = malloc(n); // LEAK@region
	return w->region ? 0 : -1;
}

int hash_bad(size_t n, int flags)
{
	struct work w = { NULL, 0 };
	int ret = work_init_bad(&w, n); // LEAK@region

	work_release_unless(&w, flags);
	return ret;
}
