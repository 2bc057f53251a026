// A value object whose release is forgotten, on one way or on all.
#include <stdlib.h>
#include <string.h>

struct path { char *s; };

static void path_init(struct path *p, const char *s)
{
	p->s = strdup(s);
}

static void path_release(struct path *p)
{
	free(p->s);
	p->s = NULL;
}

static void path_up(struct path *p)
{
	char *c = p->s ? strrchr(p->s, '/') : NULL;

	if (c)
		*c = 0;
}

int never_released_bad(const char *s)
{
	struct path p;

	path_init(&p, s); // LEAK(never-freed)
	path_up(&p);
	return p.s && p.s[0];
}

int error_path_bad(const char *s, int depth)
{
	struct path p;

	path_init(&p, s); // LEAK(conditional)
	if (depth > 10)
		return -1;
	path_up(&p);
	path_release(&p);
	return 0;
}

int each_way_ok(const char *s, int depth)
{
	struct path p;
	int ret = -1;

	path_init(&p, s);
	if (depth > 10)
		goto out;
	path_up(&p);
	ret = 0;
out:
	path_release(&p);
	return ret;
}

int initialised_twice_bad(const char *s)
{
	struct path p;

	path_init(&p, s); // LEAK(overwritten)
	path_init(&p, "/");
	path_release(&p);
	return 0;
}
