/*
 * cmd_cc.c - plumb cc ARGS...: everything is the compiler's, so there is no
 * option table; see front/cc.c.
 */
#include "cli/cli.h"

#include "front/cache.h"

int cmd_cc(int argc, char **argv)
{
	cache_allow(opt_is_safe);
	return front_cc(argc, argv);
}
