// The place is between two statements of one line.
// LEAKS: 1
// ONCE: ^\+.*free\(key\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lookup(const char *k)
{
	char *key = strdup(k);
	int r = 0;

	if (!key) { puts("memory"); return -1; }
	if (key[0] == '?') { puts("unknown"); return -2; }
	r = key[0]; free(key);
	return r;
}

int main(void)
{
	printf("%d\n", lookup("?"));
	printf("%d\n", lookup("A"));
	return 0;
}
