// The address is kept as a number.
// LEAKS: 0
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uintptr_t slots[4];

static int put(int i, const char *s)
{
	char *p = strdup(s);

	slots[i] = (uintptr_t)p | 0;
	return (int)strlen(s);
}

int main(void)
{
	int n = put(0, "a") + put(1, "bc");

	printf("%d %s %s\n", n, (char *)slots[0], (char *)slots[1]);
	free((char *)slots[0]);
	free((char *)slots[1]);
	return 0;
}
