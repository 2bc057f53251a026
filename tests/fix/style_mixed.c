// Tabs and spaces in one file: each function keeps its own.
// LEAKS: 2
// PATCH: ^\+\t\tfree\(a\);$
// PATCH: ^\+        free\(b\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int with_tabs(const char *s)
{
	char *a = strdup(s);

	if (a[0] == '-') {
		puts("minus");
		return -1;
	}
	free(a);
	return 1;
}

static int with_spaces(const char *s)
{
    char *b = strdup(s);

    if (b[0] == '-') {
        puts("minus");
        return -1;
    }
    free(b);
    return 1;
}

int main(void)
{
	printf("%d\n", with_tabs("-") + with_tabs("+"));
	printf("%d\n", with_spaces("-") + with_spaces("+"));
	return 0;
}
