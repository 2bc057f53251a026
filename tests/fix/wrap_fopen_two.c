// Two files; when the second cannot be opened, the first one stays open.
// LEAKS: 1
// PATCH: ^\+.*fclose\(in\);
// NEVER: ^\+.*fclose\(out\);
#include <stdio.h>
#include <stdlib.h>

static int copy(const char *from, const char *to)
{
	FILE *in, *out;

	in = fopen(from, "r");
	if (!in)
		return -1;
	out = fopen(to, "w");
	if (!out)
		return -2;
	fclose(in);
	fclose(out);
	return 0;
}

int main(void)
{
	printf("%d\n", copy("/dev/null", "/dev/null"));
	printf("%d\n", copy("/nonexistent/file", "/dev/null"));
	printf("%d\n", copy("/dev/null", "/nonexistent/file"));
	return 0;
}
