#include "strvec.h"

int spawn(int argc);

int run_ok(const char *cmd)
{
	struct strvec args;
	int ret = -1;

	strvec_init(&args);
	if (strvec_push(&args, cmd) < 0)
		goto out;
	if (strvec_push(&args, "--quiet") < 0)
		goto out;
	ret = spawn((int)args.n);
out:
	strvec_release(&args);
	return ret;
}

int run_bad(const char *cmd)
{
	struct strvec args;
	int ret;

	strvec_init(&args);
	if (strvec_push(&args, cmd) < 0) // FN(vfg): LEAK@v
		return -1;
	ret = spawn((int)args.n);
	if (ret < 0)
		return ret;
	strvec_release(&args);
	return ret;
}
