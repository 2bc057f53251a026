/* nobody calls it: what it puts into its caller's memory is the caller's */
#include <stdlib.h>
#include <string.h>

void prepend(int *argc, char ***argv, const char *arg)
{
	char **v = reallocarray(NULL, (size_t)*argc + 1, sizeof(*v));

	if (!v)
		abort();
	v[0] = strdup(arg);
	for (int i = 0; i < *argc; i++)
		v[1 + i] = (*argv)[i];
	free(*argv);
	*argv = v;
	(*argc)++;
}

int main(int argc, char **argv)
{
	return argc + argv[0][0];
}
