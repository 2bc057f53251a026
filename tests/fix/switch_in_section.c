// Allocated and lost within one section.
// LEAKS: 2
// ONCE: ^\+\s*free\(s\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int act(int what, const char *arg)
{
	int n = 0;

	switch (what) {
	case 'p': {
		char *s = strdup(arg);

		s[0] = 'P';
		n = printf("%s\n", s);
		break;
	}
	case 'l':
		n = (int)strlen(arg);
		break;
	}
	return n;
}

int main(void)
{
	int n = act('p', "print") + act('l', "length") + act('p', "x") + act('q', "");

	printf("%d\n", n);
	return 0;
}
