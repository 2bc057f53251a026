// A constructor with three fields; each failure must take back what came before.
#include <stdlib.h>
#include <string.h>

struct user { char *name, *home; int *groups; };

struct user *user_new_ok(const char *name, const char *home)
{
	struct user *u = malloc(sizeof(*u));

	if (!u)
		return NULL;
	if (!(u->name = strdup(name)))
		goto no_name;
	if (!(u->home = strdup(home)))
		goto no_home;
	if (!(u->groups = calloc(32, sizeof(int))))
		goto no_groups;
	return u;
no_groups:
	free(u->home);
no_home:
	free(u->name);
no_name:
	free(u);
	return NULL;
}

struct user *user_new_bad(const char *name, const char *home)
{
	struct user *u = malloc(sizeof(*u)); // LEAK(conditional)

	if (!u)
		return NULL;
	if (!(u->name = strdup(name))) // FN(vfg): LEAK(conditional)
		goto no_name;
	if (!(u->home = strdup(home)))
		goto no_name;
	if (!(u->groups = calloc(32, sizeof(int))))
		return NULL;
	return u;
no_name:
	free(u);
	return NULL;
}
