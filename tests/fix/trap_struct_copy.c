// The struct is copied to the caller, with the pointer in it.
// LEAKS: 1
// KNOWN: the object would still leak on some path
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
	char *s;
	int n;
};

static int make(struct name *out, const char *t)
{
	struct name tmp;

	tmp.s = strdup(t);
	tmp.n = (int)strlen(tmp.s);
	if (tmp.n == 0)
		return -1;
	*out = tmp;
	return 0;
}

int main(void)
{
	struct name a = { NULL, 0 };

	printf("%d\n", make(&a, ""));
	printf("%d\n", make(&a, "abc"));
	printf("%s %d\n", a.s, a.n);
	free(a.s);
	return 0;
}
