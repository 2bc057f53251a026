// Setters: with a free of the old value, and without.
#include <stdlib.h>
#include <string.h>

struct user { char *name, *mail; };

static void set_name(struct user *u, const char *s)
{
	free(u->name);
	u->name = strdup(s);
}

static void set_mail(struct user *u, const char *s)
{
	u->mail = strdup(s);
}

int replaced_ok(const char *a, const char *b)
{
	struct user u = {0};

	set_name(&u, a);
	set_name(&u, b);
	free(u.name);
	return 0;
}

int replaced_bad(const char *a, const char *b)
{
	struct user u = {0};

	set_mail(&u, a); // LEAK(overwritten)
	set_mail(&u, b);
	free(u.mail);
	return 0;
}
