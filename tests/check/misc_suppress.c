// plumb-ignore on the line or above it silences a finding.
#include <stdlib.h>

void silenced(void)
{
	char *p = malloc(8); // plumb-ignore: kept on purpose

	if (p)
		p[0] = 0;
}

void silenced_above(void)
{
	// plumb-ignore: a test wants it so
	char *p = malloc(8);

	if (p)
		p[0] = 0;
}

void told_bad(void)
{
	char *p = malloc(8); // LEAK(never-freed)

	if (p)
		p[0] = 0;
}
