// LEAKS: 2
// EXPECT: fixed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct view {
	const char *s;
	volatile int n;
};

static int f(const char *t)
{
	struct view v = { strdup(t), 0 };

	v.n = (int)strlen(v.s);
	if (v.n == 0)
		return -1;
	printf("%s\n", v.s);
	return v.n;
}

int main(void)
{
	int n = f("abc");

	n += f("");
	printf("%d\n", n);
	return 0;
}
