// Static functions of one name in two units: each calls its own.
#include <stdlib.h>

static void drop(void *p)
{
	free(p);
}

void a_ok(void)
{
	drop(malloc(8));
}
