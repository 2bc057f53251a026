// LEAKS: 1
// ONCE: ^\+\s*free\(copy\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_palindrome(const char *s)
{
	char *copy = strdup(s);
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		copy[i] = s[n - 1 - i];
	if (strcmp(copy, s) != 0)
		return 0;
	free(copy);
	return 1;
}

int main(void)
{
	printf("%d %d\n", is_palindrome("otto"), is_palindrome("anna-"));
	return 0;
}
