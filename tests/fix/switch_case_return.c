// LEAKS: 2
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int eval(const char *t)
{
	char *s = strdup(t);
	int v = 0;

	switch (s[0]) {
	case '+':
		v = atoi(s + 1);
		break;
	case '-':
		return -1;
	case '?':
		printf("asked\n");
		return 99;
	default:
		v = 7;
	}
	free(s);
	return v;
}

int main(void)
{
	printf("%d %d %d %d\n", eval("+5"), eval("-5"), eval("?"), eval("x"));
	return 0;
}
