// LEAKS: 4
// PATCH: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_visible(const char *const *names)
{
	for (int i = 0; names[i]; i++)
	{
		char *p = strdup(names[i]);

		if (p[0] == '.')
			continue;
		else if (p[0] == '_')
			continue;
		puts(p);
		free(p);
	}
}

int main(void)
{
	static const char *const names[] = { "a", ".b", "_c", "d", ".e", "_", NULL };

	print_visible(names);
	return 0;
}
