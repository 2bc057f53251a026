// Nothing is allocated: nothing to report.
#include <stdio.h>

int add_ok(int a, int b)
{
	return a + b;
}

void hello_ok(void)
{
	puts("hello");
}
