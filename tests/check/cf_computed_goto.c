// Labels as values (GNU C).
#include <stdlib.h>

void table_of_labels_ok(int n)
{
	static const void *const go[] = { &&small, &&large };
	char *p = malloc(8);

	goto *go[n > 10];
small:
	free(p);
	return;
large:
	p[0] = 1;
	free(p);
}

void table_of_labels_bad(int n)
{
	static const void *const go[] = { &&small, &&large };
	char *p = malloc(8); // LEAK(conditional)

	goto *go[n > 10];
small:
	free(p);
	return;
large:
	p[0] = 1;
}
