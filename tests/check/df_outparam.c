// Out-parameters: the caller owns what comes back through a pointer.
#include <stdlib.h>
#include <string.h>

static int get_name(char **out, int n)
{
	char *p = malloc(n);

	if (!p)
		return -1;
	p[0] = 0;
	*out = p;
	return 0;
}

int caller_ok(void)
{
	char *name;

	if (get_name(&name, 8) < 0)
		return -1;
	free(name);
	return 0;
}

int caller_bad(void)
{
	char *name;

	if (get_name(&name, 8) < 0) // LEAK(never-freed)
		return -1;
	return name[0];
}

int caller_error_path_bad(int n)
{
	char *name = NULL;

	if (get_name(&name, n) < 0) // LEAK(conditional)
		return -1;
	if (n > 100)
		return -2;
	free(name);
	return 0;
}

int caller_one_exit_ok(int n)
{
	char *name = NULL;
	int ret = -1;

	if (get_name(&name, n) < 0)
		goto out;
	if (n > 100)
		goto out;
	ret = 0;
out:
	free(name);
	return ret;
}

void own_outparam_ok(char **out)
{
	*out = malloc(8);
}
