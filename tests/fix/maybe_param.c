// Past the paper: the argument itself, or a copy of it.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print_trimmed(char *text)
{
	char *t = text;
	size_t n = strlen(text);

	if (n > 0 && text[n - 1] == ' ') {
		t = strndup(text, n - 1);
		if (!t)
			return -1;
	}
	printf("[%s]\n", t);
	return (int)strlen(t);
}

int main(void)
{
	char a[] = "as is", b[] = "space ";
	int n = print_trimmed(a) + print_trimmed(b);

	printf("%d\n", n);
	return 0;
}
