// A flag says whether the string is ours.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print(const char *s, int upper)
{
	const char *text = s;
	int own = 0;

	if (upper) {
		char *u = strdup(s);

		for (char *c = u; *c; c++)
			if (*c >= 'a' && *c <= 'z')
				*c += 'A' - 'a';
		text = u;
		own = 1;
	}
	if (text[0] == '-') {
		printf("option\n");
		return -1;
	}
	puts(text);
	if (own)
		free((char *)text);
	return 0;
}

int main(void)
{
	printf("%d\n", print("abc", 0));
	printf("%d\n", print("abc", 1));
	printf("%d\n", print("-x", 0));
	printf("%d\n", print("-x", 1));
	return 0;
}
