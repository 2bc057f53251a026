// An object that owns objects that own strings.
#include <stdlib.h>
#include <string.h>

struct addr { char *street; };
struct person { struct addr *addr; char *name; };

static struct addr *addr_new(const char *street)
{
	struct addr *a = malloc(sizeof(*a));

	if (a)
		a->street = strdup(street); // LEAK@street: person_free_bad() frees only the shell
	return a;
}

static struct person *person_new(const char *name, const char *street)
{
	struct person *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->name = strdup(name);
	p->addr = addr_new(street);
	return p;
}

static void person_free_ok(struct person *p)
{
	if (!p)
		return;
	if (p->addr) {
		free(p->addr->street);
		free(p->addr);
	}
	free(p->name);
	free(p);
}

static void person_free_bad(struct person *p)
{
	if (!p)
		return;
	free(p->addr);
	free(p->name);
	free(p);
}

int visit_ok(const char *s)
{
	struct person *p = person_new(s, "high street");
	int r = p && p->addr;

	person_free_ok(p);
	return r;
}

int visit_bad(const char *s)
{
	struct person *p = person_new(s, "low street"); // LEAK@street
	int r = p && p->addr;

	person_free_bad(p);
	return r;
}
