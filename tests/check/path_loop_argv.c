// A null-terminated vector of strings, freed by a loop or without it.
#include <stdlib.h>
#include <string.h>

static char **words(const char *s)
{
	char **v = calloc(3, sizeof(*v));

	if (!v)
		return NULL;
	v[0] = strdup(s);
	if (!v[0]) {
		free(v);
		return NULL;
	}
	v[1] = strdup("-l");
	return v;
}

static void words_free(char **v)
{
	int i;

	for (i = 0; v && v[i]; i++)
		free(v[i]);
	free(v);
}

int spawn(int argc);

int exec_ok(const char *cmd)
{
	char **argv = words(cmd);
	int r;

	if (!argv)
		return -1;
	r = spawn(2);
	words_free(argv);
	return r;
}

int exec_bad(const char *cmd)
{
	char **argv = words(cmd); // LEAK(conditional)
	int r;

	if (!argv)
		return -1;
	r = spawn(2);
	if (r < 0)
		return r;
	words_free(argv);
	return r;
}
