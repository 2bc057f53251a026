// The caller has the pointer even when the function fails, and frees it.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int load(char **out, const char *s)
{
	*out = strdup(s);
	if (!*out)
		return -1;
	if ((*out)[0] == '!')
		return -2;
	return 0;
}

int main(void)
{
	static const char *const in[] = { "a", "!", "b" };

	for (int i = 0; i < 3; i++) {
		char *s = NULL;
		int r = load(&s, in[i]);

		printf("%d %s\n", r, s);
		free(s);
	}
	return 0;
}
