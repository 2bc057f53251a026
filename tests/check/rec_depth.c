// Recursion with a buffer on each level.
#include <stdio.h>
#include <stdlib.h>

int walk_ok(int depth)
{
	char *name = malloc(32);
	int n = 1;

	if (!name)
		return 0;
	snprintf(name, 32, "level %d", depth);
	if (depth > 0)
		n += walk_ok(depth - 1);
	free(name);
	return n;
}

int walk_bad(int depth)
{
	char *name = malloc(32); // LEAK(conditional)

	if (!name)
		return 0;
	snprintf(name, 32, "level %d", depth);
	if (depth == 0)
		return 1;
	free(name);
	return 1 + walk_bad(depth - 1);
}

/* The buffer is made at the top and freed at the bottom. */
static void countdown(char *buf, int n)
{
	if (n == 0) {
		free(buf);
		return;
	}
	buf[0] = (char)n;
	countdown(buf, n - 1);
}

void freed_at_the_bottom_ok(int n)
{
	char *buf = malloc(8);

	if (buf)
		countdown(buf, n > 0 ? n : 0);
}

static void never_down(char *buf, int n)
{
	if (n == 0)
		return;
	buf[0] = (char)n;
	never_down(buf, n - 1);
}

void not_freed_at_the_bottom_bad(int n)
{
	char *buf = malloc(8); // FN(path): LEAK(never-freed) // FP(conditional,path)

	if (buf)
		never_down(buf, n);
}
