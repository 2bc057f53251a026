// RUN: plumb dump guards %s
// A branch is a variable; both ways freed make true, one way leaves the condition.
#include <stdlib.h>

void both(int n)
{
	char *p = malloc(1);

	if (n)
		free(p);
	else
		free(p);
}

void one(int n)
{
	char *p = malloc(1);

	if (n)
		free(p);
}

void nested(int n, int m)
{
	char *p = malloc(1);

	if (n)
		if (m)
			free(p);
}
