// The file has a function of its own that <stdlib.h> declares otherwise.
// LEAKS: 1
// EXPECT: refused
#include <stdio.h>

char *make_name(int i);

static const char *getenv(int i, int k)
{
	return i > k ? "more" : "less";
}

static int show(int i)
{
	char *name = make_name(i);

	puts(name);
	puts(getenv(i, 3));
	return i;
}

int main(void)
{
	return show(1) != 1;
}
