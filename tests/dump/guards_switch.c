// RUN: plumb dump guards %s
// A switch has a variable for each of its ways.
#include <stdlib.h>

void all(int n)
{
	char *p = malloc(1);

	switch (n) {
	case 1:
		free(p);
		break;
	default:
		free(p);
	}
}

void some(int n)
{
	char *p = malloc(1);

	switch (n) {
	case 1:
	case 2:
		free(p);
		break;
	case 3:
		break;
	}
}
