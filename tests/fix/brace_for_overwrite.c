// p is set anew by an un-braced body.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void last_copy(const char *const *w, int n)
{
	char *p = NULL;

	for (int i = 0; i < n; i++)
		p = strdup(w[i]);
	printf("%s\n", p ? p : "-");
	free(p);
}

int main(void)
{
	static const char *const w[] = { "a", "bb", "ccc", "dddd" };

	last_copy(w, 4);
	last_copy(w, 1);
	last_copy(w, 0);
	return 0;
}
