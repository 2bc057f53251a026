#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

int tag_ok(const char *name)
{
	char *copy = xstrdup(name);

	if (strchr(copy, '/')) {
		fatal("bad tag");
		return -1;	/* never */
	}
	free(copy);
	return 0;
}

int tag_bad(const char *name)
{
	char *copy = xstrdup(name); // LEAK(conditional)

	if (strchr(copy, '/'))
		return -1;
	free(copy);
	return 0;
}
