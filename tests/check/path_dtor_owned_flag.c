// A field that is freed only if a flag beside it says that it is ours.
#include <stdlib.h>
#include <string.h>

struct option { const char *value; unsigned owned : 1; };

static void option_set_static(struct option *o, const char *s)
{
	o->value = s;
	o->owned = 0;
}

static int option_set_copy(struct option *o, const char *s)
{
	o->value = strdup(s);
	o->owned = o->value != NULL;
	return o->owned ? 0 : -1;
}

static void option_release(struct option *o)
{
	if (o->owned)
		free((void *)o->value);
	o->value = NULL;
	o->owned = 0;
}

int choose_ok(const char *arg)
{
	struct option o;
	int n;

	if (arg)
		option_set_copy(&o, arg);
	else
		option_set_static(&o, "default");
	n = o.value ? (int)strlen(o.value) : 0;
	option_release(&o);
	return n;
}

int choose_bad(const char *arg)
{
	struct option o;
	int n;

	if (option_set_copy(&o, arg) < 0) // LEAK(conditional)
		return -1;
	n = (int)strlen(o.value);
	o.owned = 0;
	option_release(&o);
	return n;
}
