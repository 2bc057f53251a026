// Behind case labels, where no declaration can stand.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(int how, const char *s)
{
	switch (how) {
	case 0:
		puts(strdup(s));
		break;
	case 1: printf("<%s>\n", strdup(s)); break;
	case 2:
		printf("%s!\n", strdup(s));
		/* fallthrough */
	default:
		puts("end");
	}
}

int main(void)
{
	for (int i = 0; i < 4; i++)
		show(i, "x");
	return 0;
}
