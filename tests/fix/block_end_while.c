// LEAKS: 3
// ONCE: ^\+\s*free\(part\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parts(const char *s)
{
	int n = 0;
	const char *comma;

	while ((comma = strchr(s, ',')) != NULL) {
		char *part = strndup(s, comma - s);

		printf("%s\n", part);
		n++;
		s = comma + 1;
	}
	printf("%s\n", s);
	return n;
}

int main(void)
{
	printf("%d\n", parts("a,b,c"));
	printf("%d\n", parts(","));
	return 0;
}
