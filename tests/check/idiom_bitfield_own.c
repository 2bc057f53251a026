// An object that says itself whether its string is its own.
#include <stdlib.h>
#include <string.h>

struct value { int owned; char *s; };

static void value_release(struct value *v)
{
	if (v->owned)
		free(v->s);
	v->s = NULL;
	v->owned = 0;
}

static void value_copy(struct value *v, const char *s)
{
	v->s = strdup(s);
	v->owned = 1;
}

static void value_borrow(struct value *v, char *s)
{
	v->s = s;
	v->owned = 0;
}

int copied_ok(const char *s)
{
	struct value v;

	value_copy(&v, s);
	value_release(&v);
	return 0;
}

int borrowed_ok(char *s)
{
	struct value v;

	value_borrow(&v, s);
	value_release(&v);
	return 0;
}

int borrowed_but_owned_bad(const char *s)
{
	struct value v;

	value_borrow(&v, strdup(s)); // LEAK
	value_release(&v);
	return 0;
}
