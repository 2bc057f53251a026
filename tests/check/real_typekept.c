/* false: the text is made only with the type that has the value kept, in another function */
#include <stdlib.h>
#include <string.h>

enum type { NONE, STRING };
struct value { enum type type; char *string; struct value *next; };
struct args { struct value *values; };

static void *must(size_t n)
{
	void *p = calloc(1, n);
	if (!p)
		abort();
	return p;
}

static char *must_strdup(const char *s)
{
	char *p = strdup(s);
	if (!p)
		abort();
	return p;
}

static void copy_value(struct value *to, const struct value *from)
{
	to->type = from->type;
	switch (from->type) {
	case NONE:
		break;
	case STRING:
		to->string = must_strdup(from->string);
		break;
	}
}

void args_set(struct args *args, struct value *value)
{
	if (value != NULL && value->type != NONE) {
		value->next = args->values;
		args->values = value;
	} else
		free(value);
}

void args_add(struct args *args, const struct value *value)
{
	struct value *v = must(sizeof(*v));

	copy_value(v, value);
	args_set(args, v);
}

void args_free(struct args *args)
{
	struct value *v;

	while ((v = args->values)) {
		args->values = v->next;
		if (v->type == STRING)
			free(v->string);
		free(v);
	}
}
