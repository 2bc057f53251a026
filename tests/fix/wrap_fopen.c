// A file is closed, not freed.
// LEAKS: 1
// PATCH: ^\+.*fclose\(f\);
// NEVER: ^\+.*\bfree\(
#include <stdio.h>
#include <stdlib.h>

static int head(const char *path, int check)
{
	FILE *f = fopen(path, "r");
	static char buffer[BUFSIZ];

	if (!f)
		return -1;
	setbuf(f, buffer);
	if (check) {
		printf("it is there\n");
		return 0;
	}
	fclose(f);
	return 1;
}

int main(void)
{
	printf("%d\n", head("/dev/null", 0));
	printf("%d\n", head("/dev/null", 1));
	printf("%d\n", head("/nonexistent/file", 0));
	return 0;
}
