// Many returns in one function.
// LEAKS: 7
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int day(const char *t)
{
	char *s = strdup(t);

	if (strcmp(s, "mon") == 0) return 1;
	if (strcmp(s, "tue") == 0) return 2;
	if (strcmp(s, "wed") == 0)
		return 3;
	if (strcmp(s, "thu") == 0) {
		return 4;
	}
	if (strcmp(s, "fri") == 0)
	{
		return 5;
	}
	if (!strcmp(s, "sat")) { return 6; }
	else if (!strcmp(s, "sun"))
		return 7;
	free(s);
	return 0;
}

int main(void)
{
	static const char *const days[] = { "mon", "tue", "wed", "thu", "fri", "sat", "sun", "?" };

	for (int i = 0; i < 8; i++)
		printf("%d", day(days[i]));
	printf("\n");
	return 0;
}
