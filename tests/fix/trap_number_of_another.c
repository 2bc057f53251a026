// Two files have one number: who closes the one takes it from the other.
// LEAKS: 1
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int copy(const char *text)
{
	FILE *f = tmpfile(), *g;

	if (!f)
		return -1;
	g = fdopen(fileno(f), "r+");
	if (!g) {
		fclose(f);
		return -1;
	}
	fputs(text, f);
	return fclose(f);
}

int main(void)
{
	printf("%d\n", copy("text"));
	return 0;
}
