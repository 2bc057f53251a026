// Functions without code or model keep what they are given; the design says so.
#include <stdlib.h>
#include <string.h>

struct ctx;
void register_name(char *name);
int try_register(struct ctx *c, void *data);
void *transform(void *p);
int answer(void);

void given_away_ok(const char *s)
{
	register_name(strdup(s));
}

void inside_object_ok(const char *s)
{
	char **v = malloc(2 * sizeof(*v));

	if (!v)
		return;
	v[0] = strdup(s);
	v[1] = NULL;
	try_register(NULL, v);
}

void one_way_bad(const char *s)
{
	char *p = strdup(s); // LEAK(conditional)

	if (answer() > 42)
		register_name(p);
}

void before_the_call_bad(const char *s)
{
	char *p = strdup(s); // LEAK(conditional)

	if (!answer())
		return;
	register_name(p);
}

void result_of_unknown_ok(const char *s)
{
	char *p = transform(strdup(s));

	if (p)
		p[0] = 0;
}

void unknown_without_pointer_bad(void)
{
	char *p = malloc(8); // LEAK(never-freed)

	if (p && answer())
		p[0] = 1;
}
