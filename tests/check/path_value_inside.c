// A value object inside a bigger one: the outer release must call the inner.
#include <stdlib.h>
#include <string.h>

struct str { char *s; };
struct form { struct str name, mail; int age; };

static void str_set(struct str *t, const char *s)
{
	free(t->s);
	t->s = strdup(s); // FN(vfg): LEAK@mail
}

static void str_release(struct str *t)
{
	free(t->s);
	t->s = NULL;
}

static void form_release(struct form *f)
{
	str_release(&f->name);
	str_release(&f->mail);
}

static void form_release_bad(struct form *f)
{
	str_release(&f->name);
}

int fill_ok(const char *n, const char *m)
{
	struct form f = { { NULL }, { NULL }, 0 };
	int r;

	str_set(&f.name, n);
	str_set(&f.mail, m);
	r = f.name.s && f.mail.s;
	form_release(&f);
	return r;
}

int fill_bad(const char *n, const char *m)
{
	struct form f = { { NULL }, { NULL }, 0 };
	int r;

	str_set(&f.name, n);
	str_set(&f.mail, m); // FN(vfg): LEAK@mail
	r = f.name.s && f.mail.s;
	form_release_bad(&f);
	return r;
}
