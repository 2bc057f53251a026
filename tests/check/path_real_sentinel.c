// A sentinel stands for "no name"; it is not freed, everything else is.
#include <stdlib.h>
#include <string.h>

static char anonymous[] = "anonymous";

struct login { char *user; };

static void login_release(struct login *l)
{
	if (l->user != anonymous)
		free(l->user);
	l->user = NULL;
}

static void login_set(struct login *l, const char *user)
{
	l->user = user ? strdup(user) : anonymous;
}

int try_ok(const char *user)
{
	struct login l;
	int r;

	login_set(&l, user);
	r = l.user ? l.user[0] : -1;
	login_release(&l);
	return r;
}

int try_bad(const char *user)
{
	struct login l;
	int r;

	login_set(&l, user); // LEAK
	if (!l.user)
		return -1;
	r = l.user[0];
	l.user = anonymous;
	login_release(&l);
	return r;
}
