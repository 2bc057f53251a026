// Figure 7, [V-COPY].
#include <stdlib.h>

void copy_ok(void)
{
	char *q = malloc(1);
	char *p = q;

	free(p);
}

void copy_bad(void)
{
	char *q = malloc(1); // LEAK(never-freed,high) via 0 +4
	char *p = q;

	*p = 0;
}
