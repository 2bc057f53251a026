// A library stores a pointer that is one of several, or null: each is looked at (getprotobynumber_r was taken to find nothing).
#include <netdb.h>
#include <stdlib.h>

int freed_if_nothing_was_found(void)
{
	struct protoent p, *found = NULL;
	char *buf = malloc(4096);	// LEAK(conditional)

	if (!buf)
		return -1;
	if (getprotobynumber_r(6, &p, buf, 4096, &found) || !found) {
		free(buf);
		return 0;
	}
	return 1;
}

int freed_if_found(void)
{
	struct protoent p, *found = NULL;
	char *buf = malloc(4096);	// FN(vfg): LEAK(conditional)

	if (!buf)
		return -1;
	getprotobynumber_r(6, &p, buf, 4096, &found);
	if (found)
		free(buf);
	return 0;
}

int freed_always(void)
{
	struct protoent p, *found = NULL;
	char *buf = malloc(4096);	// SAFE // FP(conditional,vfg)

	if (!buf)
		return -1;
	getprotobynumber_r(6, &p, buf, 4096, &found);
	if (found == &p)
		free(buf);
	if (!found)
		free(buf);
	return 0;
}
