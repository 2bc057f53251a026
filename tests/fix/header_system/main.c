// The function that leaks is in a header of the system.
// LEAKS: 1
// EXPECT: refused
// REFUSED: header
// CFLAGS: -isystem .
// NEVER: ^\+\+\+
#include <stdio.h>
#include <leaky.h>

int main(void)
{
	printf("%d %d\n", leaky_length("abc"), leaky_length(""));
	return 0;
}
