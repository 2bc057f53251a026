#include "filter.h"

#include <stddef.h>

int attach(const struct table *t)
{
	struct filter f = { NULL };

	if (t->init(&f) < 0)
		return 1;
	t->close(&f);
	return 0;
}

int main(void)
{
	return attach_state();
}
