// At the end of an else branch; the other one frees.
// LEAKS: 2
// ONCE: ^\+\s*free\(s\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int emit(const char *t, int twice)
{
	char *s = strdup(t);
	int n;

	if (twice) {
		n = printf("%s%s\n", s, s);
		free(s);
	} else {
		n = printf("%s\n", s);
	}
	return n;
}

int main(void)
{
	int n = emit("ab", 1);

	n += emit("cd", 0);
	n += emit("ef", 0);
	printf("%d\n", n);
	return 0;
}
