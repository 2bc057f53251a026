// The helper returns 0 or a negative number: the positive case in the caller is dead.
#include <stdlib.h>
#include <string.h>

static int valid_name(const char *s)
{
	if (!*s)
		return -1;
	if (strlen(s) > 30)
		return -2;
	return 0;
}

int add_ok(const char *s)
{
	char *copy = strdup(s);
	int rc;

	if (!copy)
		return -1;
	rc = valid_name(copy);
	if (rc > 0)
		return rc;	/* never */
	free(copy);
	return rc;
}

int add_bad(const char *s)
{
	char *copy = strdup(s); // LEAK(conditional)
	int rc;

	if (!copy)
		return -1;
	rc = valid_name(copy);
	if (rc == -2)
		return rc;
	free(copy);
	return rc;
}
