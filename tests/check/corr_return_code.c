// The error code of a callee decides, tested in one place and acted upon in another.
#include <stdlib.h>

int step(void);

int one_code_ok(void)
{
	char *p = malloc(8);
	int err = step();

	if (!err)
		p[0] = 0;
	free(p);
	return err;
}

int freed_unless_error_bad(void)
{
	char *p = malloc(8); // LEAK(conditional)
	int err = step();

	if (!err)
		free(p);
	return err;
}

int handed_out_unless_error_ok(char **out)
{
	char *p = malloc(8);
	int err;

	if (!p)
		return -1;
	err = step();
	if (err)
		free(p);
	else
		*out = p;
	return err;
}

int handed_out_unless_error_bad(char **out)
{
	char *p = malloc(8); // LEAK(conditional)
	int err;

	if (!p)
		return -1;
	err = step();
	if (!err)
		*out = p;
	return err;
}

int accumulated_ok(char **out)
{
	char *p = malloc(8);
	int err = 0;

	err |= step();
	err |= step();
	if (err) {
		free(p);
		return -1;
	}
	*out = p;
	return 0;
}
