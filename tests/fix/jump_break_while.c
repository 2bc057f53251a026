// LEAKS: 1
// ONCE: ^\+\s*free\(tok\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *next_token(const char **at)
{
	size_t n = strcspn(*at, " ");
	char *t = strndup(*at, n);

	*at += n + ((*at)[n] == ' ');
	return t;
}

static int count_until(const char *text, const char *stop)
{
	int n = 0;

	while (*text) {
		char *tok = next_token(&text);

		if (strcmp(tok, stop) == 0)
			break;
		n++;
		free(tok);
	}
	return n;
}

int main(void)
{
	printf("%d\n", count_until("a b c d", "c"));
	printf("%d\n", count_until("a b c d", "x"));
	return 0;
}
