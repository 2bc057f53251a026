// Statements over several lines, a line that goes on behind a backslash.
// LEAKS: 2
// PATCH: ^\+.*free\(text\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const char *a,
		   const char *b)
{
	char *text = malloc(strlen(a) +
			    strlen(b) + 1);

	if (!text)
		abort();
	strcpy(text, a);
	strcat(text,
	       b);
	if (strlen(text) > 4)
		return printf("%s \
is long\n",
			      text);
	return strcmp(text,
		      a);
}

int main(void)
{
	printf("%d\n", compare("abc", "def"));
	printf("%d\n", compare("ab", ""));
	return 0;
}
