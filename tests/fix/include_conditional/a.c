// The last #include of the file is not always in force: ours goes before it.
// LEAKS: 1
// ONCE: ^\+#include <stdlib\.h>$
#include <stdio.h>
#ifdef NOT_HERE
#include <nowhere.h>
#else
# include <string.h>
#endif

char *make_name(int i);

/*
#include "in a comment"
*/
static size_t show(int i)
{
	char *name = make_name(i);

	puts(name);
	return strlen(name);
}

int main(void)
{
	printf("%zu\n", show(1));
	return 0;
}
