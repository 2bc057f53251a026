// A struct with a flexible array, bit fields, and one malloc for two things.
#include <stdlib.h>
#include <string.h>

struct msg { unsigned urgent : 1, len : 31; char text[]; };
struct msgs { int n; struct msg *m[]; };

struct msg *msg_new(const char *s)
{
	size_t n = strlen(s) + 1;
	struct msg *m = malloc(sizeof(*m) + n);

	if (!m)
		return NULL;
	m->urgent = 0;
	m->len = n & 0xffff;
	memcpy(m->text, s, n);
	return m;
}

void one_ok(const char *s)
{
	struct msg *m = msg_new(s);

	free(m);
}

void one_bad(const char *s)
{
	struct msg *m = msg_new(s); // LEAK(never-freed)

	if (m && m->urgent)
		m->text[0] = '!';
}

void several_ok(const char *s, int n)
{
	struct msgs *all = malloc(sizeof(*all) + n * sizeof(all->m[0]));

	if (!all)
		return;
	all->n = n;
	for (int i = 0; i < n; i++)
		all->m[i] = msg_new(s);
	for (int i = 0; i < n; i++)
		free(all->m[i]);
	free(all);
}

void several_bad(const char *s, int n)
{
	struct msgs *all = malloc(sizeof(*all) + n * sizeof(all->m[0]));

	if (!all)
		return;
	for (int i = 0; i < n; i++)
		all->m[i] = msg_new(s); // LEAK(never-freed)
	free(all);
}
