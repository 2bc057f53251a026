/* false: where the state is made, the function that frees it is set too */
#include <stdlib.h>

struct auth { void *state; void (*clear)(struct auth *); };
struct mount { struct auth *auth; };

static void passwd_clear(struct auth *a)
{
	free(a->state);
}

static int passwd_get(struct auth *a)
{
	a->clear = passwd_clear;
	a->state = calloc(1, 64);
	return 0;
}

static struct auth *auth_new(void)
{
	struct auth *a = calloc(1, sizeof(*a));

	if (a == NULL)
		return NULL;
	passwd_get(a);
	return a;
}

static void auth_release(struct auth *a)
{
	if (a == NULL)
		return;
	if (a->clear)
		a->clear(a);
	free(a);
}

void mount_parse(void)
{
	struct mount *m = calloc(1, sizeof(*m));

	if (m == NULL)
		return;
	m->auth = auth_new();
	auth_release(m->auth);
	free(m);
}
