// A setter that does not free the old value of the caller's object: the object may be fresh.
#include <stdlib.h>
#include <string.h>

struct user { char *name; };

void set_name_ok(struct user *u, const char *s)
{
	u->name = strdup(s);
}

struct user *fresh_ok(const char *s)
{
	struct user *u = calloc(1, sizeof(*u));

	if (u)
		set_name_ok(u, s);
	return u;
}

void overwritten_at_once_bad(struct user *u, const char *s)
{
	u->name = strdup(s); // LEAK(overwritten)
	u->name = NULL;
}
