// RUN: plumb dump pta %s
// What an allocation is used as tells its type: the variable, the member it is stored to, the parameter it
// is passed as.  A pointer declared for another struct does not point there, though both went through void *.
#include <stdlib.h>

struct node { struct node *next; int *value; };
struct owner { struct node *nodes; void *any; };

static void init(struct node *n)
{
	n->value = NULL;
}

struct node *by_member(struct owner *o)
{
	o->any = o;
	o->nodes = malloc(sizeof(*o->nodes));
	o->any = o->nodes;
	return o->nodes;
}

struct node *by_parameter(void)
{
	void *p = malloc(16);

	init(p);
	return p;
}

void mixed(void)
{
	struct owner o;
	struct owner *same;
	struct node *other;

	by_member(&o);
	same = o.any;
	other = o.any;
	(void)same;
	(void)other;
}
