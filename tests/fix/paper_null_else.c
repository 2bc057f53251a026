// Gao et al., II-C1: `if (exp)` as the null test, the leak behind it.
// LEAKS: 3
// ONCE: ^\+\s*free\(line\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int width(const char *s, size_t room)
{
	char *line = malloc(room);
	int w;

	if (line) {
		snprintf(line, room, "[%s]", s);
		w = (int)strlen(line);
	} else {
		w = -1;
	}
	return w;
}

int main(void)
{
	volatile size_t huge = (size_t)-1 / 4;

	printf("%d %d %d\n", width("", 40), width("abc", 40), width("a b", 40));
	printf("%d\n", width("abc", huge));
	return 0;
}
