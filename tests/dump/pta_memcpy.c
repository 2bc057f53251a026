// RUN: plumb dump pta %s
// memcpy and struct assignment copy cell by cell.
#include <stdlib.h>
#include <string.h>

struct two { char *a, *b; };

void copies(void)
{
	struct two x, y, z;

	x.a = malloc(1);
	x.b = malloc(2);
	y = x;
	memcpy(&z, &y, sizeof(z));
	free(z.a);
	free(z.b);
}
