// getline allocates through its argument.
// LEAKS: 1
// PATCH: ^\+.*free\(line\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lines(FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	int n = 0;

	while (getline(&line, &room, f) > 0)
		n += line[0] == '/';
	return n;
}

int main(void)
{
	static char text[] = "/a\nb\n/c\n";
	static char buffer[BUFSIZ];
	FILE *f = fmemopen(text, sizeof text - 1, "r");

	if (!f)
		return 1;
	setbuf(f, buffer);
	printf("%d\n", lines(f));
	fclose(f);
	return 0;
}
