// The clean-up forgets one of the objects, which may not have been allocated yet.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(const char *a, const char *b)
{
	char *x = NULL, *y = NULL;
	int ret = -1;

	x = strdup(a);
	if (x[0] == '!')
		goto out;
	y = strdup(b);
	ret = printf("%s %s\n", x, y);
out:
	free(x);
	return ret;
}

int main(void)
{
	printf("%d\n", run("a", "b"));
	printf("%d\n", run("!", "b"));
	return 0;
}
