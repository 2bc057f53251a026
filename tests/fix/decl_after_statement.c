// The declaration stands between statements and hides a name of an outer block.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int inner(const char *t)
{
	const char *s = t;
	int n = 0;

	n += (int)strlen(s);
	if (n > 1) {
		n++;
		char *s = strdup(t);
		s[1] = 0;
		n += (int)strlen(s);
	}
	n += s[0] == 'a';
	return n;
}

int main(void)
{
	printf("%d %d %d\n", inner("a"), inner("abc"), inner("xy"));
	return 0;
}
