#include "flag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int remove_ok(const char *name)
{
	char *path = strdup(name); // FP(conditional,vfg)

	if (!path)
		return -1;
	if (quiet)
		return 0;	/* never */
	puts(path);
	free(path);
	return 0;
}

static int remove_bad(const char *name)
{
	char *path = strdup(name); // LEAK(conditional)

	if (!path)
		return -1;
	if (force)
		return 0;
	puts(path);
	free(path);
	return 0;
}

int main(int argc, char **argv)
{
	int i, err = 0;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-f") == 0)
			set_force(1);
		else
			err |= remove_ok(argv[i]) | remove_bad(argv[i]);
	}
	return err;
}
