// A stream over a buffer uses it until it is closed.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *reader(const char *s)
{
	char *b = strdup(s);
	static char buffer[BUFSIZ];
	FILE *f;

	if (!b)
		return NULL;
	f = fmemopen(b, strlen(b), "r");
	if (f)
		setbuf(f, buffer);
	return f;
}

int main(void)
{
	static const char *const in[] = { "ab", "c" };

	for (int i = 0; i < 2; i++) {
		FILE *f = reader(in[i]);

		if (!f)
			return 1;
		for (int c; (c = getc(f)) != EOF;)
			putchar(c);
		putchar('\n');
		fclose(f);
	}
	return 0;
}
