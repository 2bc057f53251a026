// A block that is only there for its variable.
// LEAKS: 1
// ONCE: ^\+\s*free\(tmp\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void swap_halves(char *s)
{
	size_t h = strlen(s) / 2;

	{
		char *tmp = malloc(h);

		if (!tmp)
			return;
		memcpy(tmp, s, h);
		memmove(s, s + h, h);
		memcpy(s + h, tmp, h);
	}
	s[0] ^= 0;
}

int main(void)
{
	char text[] = "worldhello";

	swap_halves(text);
	puts(text);
	return 0;
}
