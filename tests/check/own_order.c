// The order of frees: container first is another fault, but no leak.
#include <stdlib.h>

struct outer { struct inner *in; };
struct inner { char *data; };

int inside_out_ok(void)
{
	struct outer *o = malloc(sizeof(*o));

	if (!o)
		return -1;
	o->in = malloc(sizeof(*o->in));
	if (!o->in) {
		free(o);
		return -1;
	}
	o->in->data = malloc(8);
	free(o->in->data);
	free(o->in);
	free(o);
	return 0;
}

int saved_first_ok(void)
{
	struct outer *o = malloc(sizeof(*o));
	struct inner *in;

	if (!o)
		return -1;
	o->in = malloc(sizeof(*o->in));
	in = o->in;
	free(o);
	free(in);
	return 0;
}

int middle_forgotten_bad(void)
{
	struct outer *o = malloc(sizeof(*o));

	if (!o)
		return -1;
	o->in = malloc(sizeof(*o->in)); // LEAK(never-freed)
	if (!o->in) {
		free(o);
		return -1;
	}
	o->in->data = malloc(8);
	free(o->in->data);
	free(o);
	return 0;
}
