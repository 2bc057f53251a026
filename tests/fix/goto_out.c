// A function with a clean-up label: the leaking return must go there, or free itself.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(const char *a, const char *b)
{
	char *x = NULL, *y = NULL;
	int ret = -1;

	x = strdup(a);
	if (!x)
		goto out;
	if (x[0] == '!') {
		ret = -2;
		goto out;
	}
	y = strdup(b);
	if (!y)
		goto out;
	if (y[0] == '!')
		return -3;
	ret = printf("%s %s\n", x, y);
out:
	free(y);
	free(x);
	return ret;
}

int main(void)
{
	printf("%d\n", run("a", "b"));
	printf("%d\n", run("!", "b"));
	printf("%d\n", run("a", "!"));
	return 0;
}
