// An array of structs, each of which owns something.
#include <stdlib.h>
#include <string.h>

struct opt { char *key, *val; };

void both_members_ok(char **argv, int n)
{
	struct opt *o = calloc(n, sizeof(*o));

	if (!o)
		return;
	for (int i = 0; i < n; i++) {
		o[i].key = strdup(argv[i]);
		o[i].val = strdup("1");
	}
	for (int i = 0; i < n; i++) {
		free(o[i].key);
		free(o[i].val);
	}
	free(o);
}

void second_member_bad(char **argv, int n)
{
	struct opt *o = calloc(n, sizeof(*o));

	if (!o)
		return;
	for (int i = 0; i < n; i++) {
		o[i].key = strdup(argv[i]);
		o[i].val = strdup("1"); // FN(path): LEAK(never-freed)
	}
	for (int i = 0; i < n; i++)
		free(o[i].key);
	free(o);
}

void on_the_stack_bad(const char *s)
{
	struct opt o[4] = {{0}};

	for (int i = 0; i < 4; i++)
		o[i].key = strdup(s); // LEAK(never-freed)
}

void on_the_stack_ok(const char *s)
{
	struct opt o[4] = {{0}}, *p;

	for (int i = 0; i < 4; i++)
		o[i].key = strdup(s);
	for (p = o; p < o + 4; p++)
		free(p->key);
}
