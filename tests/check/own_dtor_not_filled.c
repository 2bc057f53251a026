// The holder is only ever freed where its member is not there yet: what is in the table stays
// for as long as the program runs.
#include <stdlib.h>
#include <string.h>

struct user {
	char *name;
	struct user *next;
};

static struct user *users;

static struct user *user_new(const char *name)
{
	struct user *u = malloc(sizeof(*u));

	if (!u)
		return NULL;
	u->name = strdup(name);
	if (!u->name) {
		free(u);
		return NULL;
	}
	return u;
}

static int user_add(const char *name)
{
	struct user *u = user_new(name);

	if (!u)
		return -1;
	u->next = users;
	users = u;
	return 0;
}

int main(int argc, char **argv)
{
	int n = 0;

	for (int i = 0; i < argc; i++)
		n += user_add(argv[i]);
	return n < 0 || (users && users->name[0] == '-');
}
