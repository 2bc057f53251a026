// Memory of the stack looks like memory of the heap.
// LEAKS: 0
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int f(const char *s)
{
	char *p = alloca(strlen(s) + 1);
	char q[strlen(s) + 1];
	char *r = __builtin_alloca(8);

	strcpy(p, s);
	strcpy(q, p);
	strcpy(r, "x");
	return (int)strlen(q) + (int)strlen(r);
}

int main(void)
{
	printf("%d %d\n", f("abc"), f(""));
	return 0;
}
