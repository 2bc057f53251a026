// The condition of the do loop reads the object after the continue.
// LEAKS: 3
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>

struct cursor {
	int at, end;
};

static struct cursor *cursor_new(int at, int end)
{
	struct cursor *c = malloc(sizeof *c);

	if (!c)
		abort();
	c->at = at;
	c->end = end;
	return c;
}

static int walk(int n)
{
	struct cursor *c;
	int at = 0, odd = 0;

	do {
		c = cursor_new(at, n);
		at++;
		if (c->at % 2 == 0)
			continue;
		odd++;
	} while (c->at < c->end);
	return odd;
}

int main(void)
{
	printf("%d\n", walk(2));
	return 0;
}
