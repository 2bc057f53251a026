// A union holds a number on one way and an object on the other: it must not be freed where they
// meet.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union cell { char *text; long number; };

static int either(const char *s, int n)
{
	union cell c;
	int r = n;

	if (n > 0)
		c.number = n;
	else
		c.text = strdup(s);
	if (n <= 0)
		r = c.text[0];
	printf("%d\n", r);
	return r;
}

int main(void)
{
	return either("x", 5) + either("y", 0) == 0;
}
