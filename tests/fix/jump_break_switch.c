// A break that leaves a switch, not the loop around it.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int weigh(const char *const *items, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		char *it = strdup(items[i]);

		switch (it[0]) {
		case 'h':
			sum += 10;
			free(it);
			break;
		case 'l':
			sum += 1;
			break;
		default:
			free(it);
			break;
		}
	}
	return sum;
}

int main(void)
{
	static const char *const items[] = { "heavy", "light", "none", "l", "h" };

	printf("%d\n", weigh(items, 5));
	return 0;
}
