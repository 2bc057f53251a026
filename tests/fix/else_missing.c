// It is freed in the if; a missing else must be added, or the free moved.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept;

static int keep_long(const char *s)
{
	char *c = strdup(s);
	int n = (int)strlen(c);

	if (n > 3) {
		free(kept);
		kept = c;
	}
	return n;
}

int main(void)
{
	printf("%d\n", keep_long("long one"));
	printf("%d\n", keep_long("abc"));
	printf("%s\n", kept);
	free(kept);
	return 0;
}
