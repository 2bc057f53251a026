// The body of the for is one statement, and an object is lost in it each time.
// LEAKS: 8
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int total_length(const char *const *w, int n)
{
	int sum = 0;
	char *s;

	for (int i = 0; i < n; i++)
		if ((s = strdup(w[i])) != NULL)
			sum += (int)strlen(s);
	return sum;
}

int main(void)
{
	static const char *const w[] = { "a", "bb", "ccc", "dddd" };

	printf("%d\n", total_length(w, 4));
	printf("%d\n", total_length(w, 3));
	printf("%d\n", total_length(w, 1));
	return 0;
}
