// __attribute__((cleanup)): the compiler calls the destructor.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_ptr(void *p)
{
	free(*(void **)p);
}

static void close_file(FILE **f)
{
	if (*f)
		fclose(*f);
}

#define autofree __attribute__((cleanup(free_ptr)))
#define autoclose __attribute__((cleanup(close_file)))

int scoped_ok(const char *s, int n)
{
	autofree char *copy = strdup(s);

	if (!copy)
		return -1;
	if (n > 3)
		return 1;
	return copy[0];
}

int scoped_file_ok(const char *path)
{
	autoclose FILE *f = fopen(path, "r");
	char line[80];

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (line[0] == 'x')
			return 1;
	return 0;
}

char *stolen_ok(const char *s)
{
	autofree char *copy = strdup(s);
	char *r = copy;

	copy = NULL;
	return r;
}

int overwritten_bad(const char *s)
{
	autofree char *copy = strdup(s); // LEAK

	copy = strdup("other");
	return copy ? copy[0] : 0;
}

int stolen_and_lost_bad(const char *s)
{
	autofree char *copy = strdup(s); // LEAK(never-freed)
	char *r = copy;

	copy = NULL;
	return r ? r[0] : 0;
}
