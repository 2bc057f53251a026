// Figure 13d (droplet): the structure is freed after a failure, its string is not.
#include <stdlib.h>
#include <string.h>

struct prefix { char *prefix; };
struct vec { void **v; int n, max; };

static int vec_add(struct vec *vec, void *p)
{
	if (vec->n == vec->max)
		return -1;
	vec->v[vec->n++] = p;
	return 0;
}

int parse_prefix(struct vec *out, const char *text)
{
	struct prefix *common = malloc(sizeof(*common));

	if (!common)
		return -1;
	common->prefix = strdup(text); // LEAK(conditional,medium) via 0 +1 +5 -12 +5 +7
	if (!common->prefix) {
		free(common);
		return -1;
	}
	if (vec_add(out, common) != 0) {
		free(common);
		return -1;
	}
	return 0;
}
