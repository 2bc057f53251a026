// One section falls through to the one that frees, one leaves before.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(int mode)
{
	char *log = malloc(32);
	int n = 0;

	if (!log)
		return -1;
	strcpy(log, "run");
	switch (mode) {
	case 0:
		strcat(log, " zero");
		/* fall through */
	case 1:
		strcat(log, " one");
		n = printf("%s\n", log);
		free(log);
		break;
	case 2:
		n = 2;
		break;
	default:
		free(log);
	}
	return n;
}

int main(void)
{
	int n = 0;

	for (int mode = 0; mode < 4; mode++)
		n += run(mode);
	n += run(2);
	printf("%d\n", n);
	return 0;
}
