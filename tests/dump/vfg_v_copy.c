// RUN: plumb dump vfg %s
// [V-COPY]: SSA form has no copies; the object of q is freed where p, which is q, is.
#include <stdlib.h>

void copy(void)
{
	char *q = malloc(1);
	char *p = q;

	free(p);
}
