// The reference taken by a lookup is dropped on every way but one.
#include <stdlib.h>
#include <string.h>

struct sess { unsigned refs; char *user; };

static struct sess *sess_new(const char *user)
{
	struct sess *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->refs = 1;
	s->user = strdup(user);
	return s;
}

static void sess_put(struct sess *s)
{
	if (--s->refs == 0) {
		free(s->user);
		free(s);
	}
}

int login_ok(const char *user, const char *pw)
{
	struct sess *s = sess_new(user);
	int ret = -1;

	if (!s)
		return -1;
	if (!s->user || !pw[0])
		goto out;
	ret = 0;
out:
	sess_put(s);
	return ret;
}

int login_bad(const char *user, const char *pw)
{
	struct sess *s = sess_new(user); // LEAK(conditional)

	if (!s)
		return -1;
	if (!s->user || !pw[0])
		return -1;
	sess_put(s);
	return 0;
}
