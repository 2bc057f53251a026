// RUN: plumb check --engine vfg %s
// With a main, functions that nobody calls are no entries; what main reaches counts.
#include <stdlib.h>

void helper(int n);

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < argc; i++)
		helper(i);
	return 0;
}
