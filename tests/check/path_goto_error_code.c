// The clean-up label asks the error code whether there is something to undo.
#include <stdlib.h>

int register_device(int id);
int start_device(int id);

int setup_ok(int id, char **state)
{
	char *st = malloc(64);
	int ret;

	if (!st)
		return -12;
	ret = register_device(id);
	if (ret < 0)
		goto out;
	ret = start_device(id);
	if (ret < 0)
		goto out;
	ret = 0;
	*state = st;
out:
	if (ret < 0)
		free(st);
	return ret;
}

int setup_bad(int id, char **state)
{
	char *st = malloc(64); // LEAK(conditional)
	int ret;

	if (!st)
		return -12;
	ret = register_device(id);
	if (ret != 0)
		goto out;	/* a positive code is no success here */
	ret = start_device(id);
	if (ret < 0)
		goto out;
	ret = 0;
	*state = st;
out:
	if (ret < 0)
		free(st);
	return ret;
}
