// Reference counts: the last one out frees.
#include <stdlib.h>
#include <string.h>

struct obj { int refs; char *name; };

static struct obj *obj_new(const char *name)
{
	struct obj *o = malloc(sizeof(*o));

	if (!o)
		return NULL;
	o->refs = 1;
	o->name = strdup(name);
	return o;
}

static struct obj *obj_ref(struct obj *o)
{
	o->refs++;
	return o;
}

static void obj_unref(struct obj *o)
{
	if (o && --o->refs == 0) {
		free(o->name);
		free(o);
	}
}

int one_owner_ok(const char *s)
{
	struct obj *o = obj_new(s);

	if (!o)
		return -1;
	obj_unref(o);
	return 0;
}

int two_owners_ok(const char *s)
{
	struct obj *o = obj_new(s), *p;

	if (!o)
		return -1;
	p = obj_ref(o);
	obj_unref(o);
	obj_unref(p);
	return 0;
}

int never_unref_bad(const char *s)
{
	struct obj *o = obj_new(s); // LEAK(never-freed)

	return o ? o->refs : -1;
}

int error_path_bad(const char *s, int n)
{
	struct obj *o = obj_new(s); // LEAK(conditional)

	if (!o)
		return -1;
	if (n < 0)
		return -2;
	obj_unref(o);
	return 0;
}

int once_too_few_bad(const char *s)
{
	struct obj *o = obj_new(s); // FN(vfg,all): LEAK

	if (!o)
		return -1;
	obj_ref(o);
	obj_unref(o);
	return 0;
}
