// A program with a main: what main reaches in other units counts.
#include <stdlib.h>

void helper(int n);

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < argc; i++)
		helper(i);
	return 0;
}
