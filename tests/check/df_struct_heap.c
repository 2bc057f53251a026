// A heap struct that owns a heap string.
#include <stdlib.h>
#include <string.h>

struct user {
	int id;
	char *name;
};

void both_freed_ok(const char *name)
{
	struct user *u = malloc(sizeof(*u));

	if (!u)
		return;
	u->name = strdup(name);
	free(u->name);
	free(u);
}

void field_forgotten_bad(const char *name)
{
	struct user *u = malloc(sizeof(*u));

	if (!u)
		return;
	u->name = strdup(name); // LEAK(never-freed)
	free(u);
}

void field_by_condition_bad(const char *name)
{
	struct user *u = malloc(sizeof(*u));

	if (!u)
		return;
	u->id = 7;
	u->name = strdup(name); // LEAK(conditional)
	if (*name)
		free(u->name);
	free(u);
}

void container_forgotten_bad(const char *name)
{
	struct user *u = malloc(sizeof(*u)); // LEAK(never-freed)

	if (!u)
		return;
	u->name = strdup(name);
	free(u->name);
}

int constructor_fails_bad(struct user **out, const char *name)
{
	struct user *u = malloc(sizeof(*u)); // LEAK(conditional)

	if (!u)
		return -1;
	u->name = strdup(name);
	if (!u->name)
		return -1;
	*out = u;
	return 0;
}

int constructor_fails_ok(struct user **out, const char *name)
{
	struct user *u = malloc(sizeof(*u));

	if (!u)
		return -1;
	u->name = strdup(name);
	if (!u->name) {
		free(u);
		return -1;
	}
	*out = u;
	return 0;
}
