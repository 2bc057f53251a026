// Memory that the stack gives back.
#include <alloca.h>
#include <stdlib.h>
#include <string.h>

int alloca_ok(const char *s)
{
	char *p = alloca(strlen(s) + 1);

	strcpy(p, s);
	return p[0];
}

int vla_ok(int n)
{
	char buf[n > 0 ? n : 1];

	buf[0] = 1;
	return buf[0];
}

int compound_literal_ok(int n)
{
	int *p = (int[]){ n, n + 1 };

	return p[0] + p[1];
}

int vla_of_pointers_ok(int n)
{
	char *v[n > 0 ? n : 1];

	for (int i = 0; i < n; i++)
		v[i] = malloc(4);
	for (int i = 0; i < n; i++)
		free(v[i]);
	return 0;
}

int vla_of_pointers_bad(int n)
{
	char *v[n > 0 ? n : 1];

	for (int i = 0; i < n; i++)
		v[i] = malloc(4); // LEAK(never-freed)
	return 0;
}
