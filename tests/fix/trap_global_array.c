// Kept in a global table.
// LEAKS: 0
// HELD: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *names[8];
static int count;

static int intern(const char *s)
{
	char *copy;

	for (int i = 0; i < count; i++)
		if (strcmp(names[i], s) == 0)
			return i;
	copy = strdup(s);
	names[count] = copy;
	return count++;
}

int main(void)
{
	printf("%d%d%d%d\n", intern("a"), intern("b"), intern("a"), intern("c"));
	printf("%s%s%s\n", names[0], names[1], names[2]);
	return 0;
}
