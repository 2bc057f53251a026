// Gao et al., II-C4: three allocations, one pointer, one free.
// LEAKS: 3
// ONCE: ^\+\s*free\(s\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *twice(const char *a)
{
	char *s = malloc(2 * strlen(a) + 1);

	if (s) {
		strcpy(s, a);
		strcat(s, a);
	}
	return s;
}

static int length(const char *a, int how)
{
	char *s;
	int n;

	if (how == 0)
		s = strdup(a);
	else if (how == 1)
		s = twice(a);
	else
		s = strndup(a, 2);
	n = s ? (int)strlen(s) : -1;
	return n;
}

int main(void)
{
	for (int how = 0; how < 3; how++)
		printf("%d\n", length("four", how));
	return 0;
}
