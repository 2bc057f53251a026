// Generated from another file: an edit here would be lost.
// LEAKS: 1
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#line 17 "grammar.y"
static int reduce(const char *t)
{
	char *s = strdup(t);

	if (s[0] == 'e')
		return 1;
	free(s);
	return 0;
}

#line 22 "line_directive.c"
int main(void)
{
	printf("%d %d\n", reduce("e"), reduce("t"));
	return 0;
}
