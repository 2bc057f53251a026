// The destructor forgets a member, which one constructor leaves without a value.
// LEAKS: 1
// EXPECT: refused
// REFUSED: no value
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape {
	int kind;
	char *label;
};

static struct shape *shape_new(int kind, const char *label)
{
	struct shape *s = malloc(sizeof(*s));

	if (!s)
		abort();
	s->kind = kind;
	if (label)
		s->label = strdup(label);
	return s;
}

static void shape_print(const struct shape *s)
{
	printf("%d %s\n", s->kind, s->kind ? s->label : "-");
}

static void shape_free(struct shape *s)
{
	free(s);
}

int main(void)
{
	struct shape *plain = shape_new(0, NULL), *named = shape_new(1, "box");

	shape_print(plain);
	shape_print(named);
	shape_free(plain);
	shape_free(named);
	return 0;
}
