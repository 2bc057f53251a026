// RUN: plumb check --model tests/check/call_model.model %s
// A model tells what functions out of sight do.
#include <stddef.h>

struct texture;
struct texture *gfx_load(const char *path);
void gfx_drop(struct texture *t);
int gfx_size(const struct texture *t);
int pool_take(void *pool, struct texture *t);

int dropped_ok(const char *path)
{
	struct texture *t = gfx_load(path);
	int n;

	if (!t)
		return -1;
	n = gfx_size(t);
	gfx_drop(t);
	return n;
}

int forgotten_bad(const char *path)
{
	struct texture *t = gfx_load(path); // LEAK(never-freed)

	return t ? gfx_size(t) : -1;
}

int taken_ok(void *pool, const char *path)
{
	struct texture *t = gfx_load(path);

	if (!t)
		return -1;
	if (pool_take(pool, t) != 0) {
		gfx_drop(t);
		return -1;
	}
	return 0;
}

int taken_on_success_only_bad(void *pool, const char *path)
{
	struct texture *t = gfx_load(path); // FN(vfg): LEAK(conditional)

	if (!t)
		return -1;
	if (pool_take(pool, t) != 0)
		return -1;
	return 0;
}
