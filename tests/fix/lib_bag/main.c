#include <stdio.h>
#include <stdlib.h>
#include "bag.h"

int main(void)
{
	struct bag b = { .n = 0 };
	int a[4];

	a[0] = bag_copy(&b, "a");
	a[1] = bag_copy_blindly(&b, "b");
	a[2] = bag_copy(&b, "c");
	a[3] = bag_copy_blindly(&b, "d");
	printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
	while (b.n > 0) {
		puts(b.item[--b.n]);
		free(b.item[b.n]);
	}
	return 0;
}
