// At the end of a loop's body.
// LEAKS: 4
// ONCE: ^\+\s*free\(cell\);$
#include <stdio.h>
#include <stdlib.h>

static void table(int n)
{
	for (int i = 0; i < n; i++) {
		char *cell = malloc(32);

		if (!cell)
			return;
		snprintf(cell, 32, "%d*%d", i, i);
		printf("%s%s", cell, i + 1 < n ? "," : "\n");
	}
	printf("done\n");
}

int main(void)
{
	table(4);
	table(0);
	return 0;
}
