// A leak in each of two files: one diff for both.
// LEAKS: 2
// PATCH: ^\+\+\+ b/a\.c
// PATCH: ^\+\+\+ b/b\.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int b_length(const char *s);

static int a_length(const char *s)
{
	char *p = strdup(s);
	int n = (int)strlen(p);

	if (n == 0)
		return -1;
	free(p);
	return n;
}

int main(void)
{
	printf("%d %d\n", a_length("abc"), a_length(""));
	printf("%d %d\n", b_length("abc"), b_length(""));
	return 0;
}
