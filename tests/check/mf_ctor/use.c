#include "conf.h"

#include <stdlib.h>

int load_ok(const char *name)
{
	struct conf *c = conf_new(name);

	if (!c)
		return -1;
	conf_set(c, "1");
	conf_free(c);
	return 0;
}

int load_bad(const char *name, int n)
{
	struct conf *c = conf_new(name); // LEAK(conditional)

	if (!c)
		return -1;
	conf_set(c, "1");
	if (n < 0)
		return -2;
	conf_free(c);
	return 0;
}

struct conf *load_default_ok(void)
{
	struct conf *c = conf_new("default");

	if (c)
		conf_set(c, "0");
	return c;
}
