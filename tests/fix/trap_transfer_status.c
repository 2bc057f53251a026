// Whether the callee has kept the object is told by its result.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 2

static char *table[ROOM];
static int used;

static int table_put(char *s)
{
	if (used == ROOM)
		return -1;
	table[used++] = s;
	return 0;
}

static void add(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		return;
	if (table_put(copy) < 0)
		printf("full\n");
}

int main(void)
{
	add("a");
	add("b");
	add("c");
	add("d");
	while (used > 0) {
		puts(table[--used]);
		free(table[used]);
	}
	return 0;
}
