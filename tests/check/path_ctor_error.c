// A constructor that fails half way, in three fashions.
#include <stdlib.h>
#include <string.h>

struct res { char *path; char *type; };

static void res_free(struct res *r)
{
	if (!r)
		return;
	free(r->path);
	free(r->type);
	free(r);
}

struct res *res_new_ok(const char *path)
{
	struct res *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->path = strdup(path);
	r->type = strdup("file");
	if (!r->path || !r->type) {
		res_free(r);
		return NULL;
	}
	return r;
}

struct res *res_new_shell_bad(const char *path)
{
	struct res *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->path = strdup(path); // LEAK(conditional,high) via 0 +2 +4
	r->type = strdup("file");
	if (!r->type) {
		free(r);
		return NULL;
	}
	return r;
}

struct res *res_new_lost_bad(const char *path)
{
	struct res *r = calloc(1, sizeof(*r)); // LEAK(conditional,high) via 0 +2 +5 +6

	if (!r)
		return NULL;
	r->path = strdup(path);
	if (!r->path)
		return NULL;
	return r;
}
