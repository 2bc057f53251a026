// The name is freed, then printed in the message.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int open_it(int n);

int mount_ok(const char *s)
{
	char *name = strdup(s);

	if (!name)
		return -1;
	if (open_it(name[0]) < 0) {
		fprintf(stderr, "cannot open %s\n", name);
		free(name);
		return -1;
	}
	free(name);
	return 0;
}

int mount_bad(const char *s)
{
	char *name = strdup(s);

	if (!name)
		return -1;
	if (open_it(name[0]) < 0) {
		free(name);
		fprintf(stderr, "cannot open %s\n", name); // FN(vfg): USE-AFTER-FREE
		return -1;
	}
	free(name);
	return 0;
}
