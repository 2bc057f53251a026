// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void last_word(const char *const *w)
{
	char *p = NULL;
	int i = 0;

	do
		p = strdup(w[i]);
	while (w[++i]);
	puts(p);
	free(p);
}

int main(void)
{
	static const char *const w[] = { "a", "b", "c", NULL };

	last_word(w);
	last_word(w + 1);
	last_word(w + 2);
	return 0;
}
