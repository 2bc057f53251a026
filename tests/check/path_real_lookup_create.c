// find or create; `created` tells the caller to undo it on an error.
#include <stdlib.h>
#include <string.h>

struct user { char *name; int uid; };

static struct user *known[8];

static struct user *user_find(const char *name)
{
	int i;

	for (i = 0; i < 8; i++)
		if (known[i] && strcmp(known[i]->name, name) == 0)
			return known[i];
	return NULL;
}

static struct user *user_get(const char *name, int *created)
{
	struct user *u = user_find(name);

	*created = 0;
	if (u)
		return u;
	u = malloc(sizeof(*u)); // LEAK@u: by add_bad()
	if (!u)
		return NULL;
	u->name = strdup(name);
	if (!u->name) {
		free(u);
		return NULL;
	}
	u->uid = 0;
	*created = 1;
	return u;
}

int allow(int uid);

int add_ok(const char *name, int slot)
{
	int created;
	struct user *u = user_get(name, &created);

	if (!u)
		return -1;
	if (allow(u->uid) && slot >= 0 && slot < 8 && !known[slot]) {
		if (created)
			known[slot] = u;
		return 0;
	}
	if (created) {
		free(u->name);
		free(u);
	}
	return -1;
}

int add_bad(const char *name, int slot)
{
	int created;
	struct user *u = user_get(name, &created); // LEAK@u

	if (!u)
		return -1;
	if (slot < 0 || slot >= 8 || known[slot])
		return -1;
	if (created)
		known[slot] = u;
	return 0;
}
