// An option is a string, a number or a flag; only strings own memory.
#include <stdlib.h>
#include <string.h>

enum otype { OT_STRING, OT_NUMBER, OT_FLAG };

struct option { enum otype type; union { char *str; long num; } v; };

static void option_clear(struct option *o)
{
	if (o->type == OT_STRING)
		free(o->v.str);
	o->v.num = 0;
}

int option_set_ok(struct option *o, const char *s)
{
	char *copy;

	switch (o->type) {
	case OT_STRING:
		copy = strdup(s);
		if (!copy)
			return -1;
		option_clear(o);
		o->v.str = copy;
		return 0;
	case OT_NUMBER:
		o->v.num = atol(s);
		return 0;
	case OT_FLAG:
		o->v.num = s[0] == 'y';
		return 0;
	}
	return -1;
}

int once_ok(const char *s)
{
	struct option o = { .type = OT_STRING, .v.str = NULL };
	int r = option_set_ok(&o, s);

	option_clear(&o);
	return r;
}

int once_bad(const char *s)
{
	struct option o = { .type = OT_STRING, .v.str = NULL };

	o.v.str = strdup(s); // LEAK
	o.type = OT_NUMBER;
	option_clear(&o);
	return 0;
}
