// longjmp leaves the function; whoever jumps, the object is used afterwards.
// LEAKS: 1
// EXPECT: either
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf out;

static void check(const char *s)
{
	if (s[0] == '!')
		longjmp(out, 1);
}

static int parse(const char *t)
{
	char *volatile s = strdup(t);

	if (setjmp(out)) {
		printf("failed: %s\n", s);
		return -1;
	}
	check(s);
	free(s);
	return 0;
}

int main(void)
{
	printf("%d\n", parse("ok"));
	printf("%d\n", parse("!"));
	return 0;
}
