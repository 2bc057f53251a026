// Safe: the caller frees what it gets inside of a struct.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct result {
	char *text;
	int n;
};

static struct result make(const char *s)
{
	struct result r;
	char *t = strdup(s);

	r.text = t;
	r.n = (int)strlen(t);
	return r;
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		struct result r = make(i ? "abc" : "");

		printf("%s %d\n", r.text, r.n);
		free(r.text);
	}
	return 0;
}
