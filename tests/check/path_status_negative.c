// The kernel's way: negative is an error, tested once by the helper and once by us.
#include <errno.h>
#include <stdlib.h>

int probe(int unit);

static int check_unit(int unit)
{
	if (unit < 0)
		return -EINVAL;
	if (unit > 7)
		return -ENODEV;
	return 0;
}

int attach_ok(int unit)
{
	char *state = NULL;
	int err = check_unit(unit);

	if (!err) {
		state = calloc(1, 32);
		if (!state)
			err = -ENOMEM;
	}
	if (!err)
		err = probe(unit);
	if (err > 0)
		err = 0;
	if (err == -ENODEV || err == -EINVAL) {
		free(state);
		return err;
	}
	free(state);
	return err;
}

int attach_bad(int unit)
{
	char *state = NULL;
	int err = check_unit(unit);

	if (!err) {
		state = calloc(1, 32); // LEAK(conditional)
		if (!state)
			err = -ENOMEM;
	}
	if (!err)
		err = probe(unit);
	if (err < 0)
		return err;
	free(state);
	return 0;
}
