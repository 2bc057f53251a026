// RUN: plumb dump guards %s
// Figure 8.  w1, freed inside, has C1 and C2; w2, freed after the loop, has !C1, or C1 and !C2 on the way
// round; together they are true.
#include <stdlib.h>

int c1(void);
int c2(void);

void w1(void)
{
	char *v = malloc(1);

	while (c1())
		if (c2()) {
			free(v);
			return;
		}
}

void w2(void)
{
	char *v = malloc(1);

	while (c1())
		if (c2())
			return;
	free(v);
}

void both(void)
{
	char *v = malloc(1);

	while (c1())
		if (c2()) {
			free(v);
			return;
		}
	free(v);
}
