// A free under one branch of an if.
#include <stdlib.h>
#include <string.h>

void then_only_bad(int n)
{
	char *buf = malloc(64); // LEAK(conditional)

	if (!buf)
		return;
	memset(buf, 0, 64);
	if (n > 3)
		free(buf);
}

void else_only_bad(int n)
{
	char *buf = malloc(64); // LEAK(conditional)

	if (n > 3)
		n--;
	else
		free(buf);
}

void both_branches_ok(int n)
{
	char *buf = malloc(64);

	if (n > 3) {
		memset(buf, n, 64);
		free(buf);
	} else {
		free(buf);
	}
}

void neither_bad(int n)
{
	char *buf = malloc(64); // LEAK(never-freed)

	if (!buf)
		return;
	if (n > 3)
		memset(buf, n, 64);
	else
		buf[0] = 0;
}

void after_the_if_ok(int n)
{
	char *buf = malloc(64);

	if (buf && n > 3)
		memset(buf, n, 64);
	free(buf);
}
