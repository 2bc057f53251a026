// The strings of backtrace_symbols() are in the block that it returns.  One object is what the C library keeps of its own.
// LEAKS: 3
// EXPECT: partial
// LEFT: 2
// PATCH: ^\+\t\tint plumb_ret = p\[0\];$
// PATCH: ^\+\t\tfree\(s\);$
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

static const char *first(int n)
{
	void *a[4];
	int k = backtrace(a, 4);
	char **s = backtrace_symbols(a, k);
	const char *p;

	if (!s)
		return NULL;
	p = s[0];
	if (n > 1)
		return p;
	puts(p ? "one" : "none");
	free(s);
	return NULL;
}

static int letter(int n)
{
	void *a[4];
	int k = backtrace(a, 4);
	char **s = backtrace_symbols(a, k);
	const char *p;

	if (!s)
		return 0;
	p = s[0];
	if (n > 1) {
		n = 3;
		return p[0];
	}
	puts(p ? "one" : "none");
	free(s);
	return n;
}

int main(void)
{
	void *a[1];

	backtrace(a, 1);
	for (int n = 1; n < 3; n++) {
		const char *p = first(n);

		if (p)
			puts(p[0] ? "some" : "empty");
		puts(letter(n) ? "some" : "empty");
	}
	return 0;
}
