// The way out is inside a macro: what it asks, of two variables or of one and a number, is asked before it.
// LEAKS: 3
// ONCE: ^\+.*if \(si >= len\)
// ONCE: ^\+.*if \(n > 3\)
// ONCE: ^\+.*if \(!ok\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STOP_AT_END(at, end, c) \
	if (at >= end) { \
		c = 0; \
		break; \
	}

#define LIMIT(n) do { if ((n) > 3) return -1; } while (0)
#define REQUIRE(x) do { if (!(x)) return -2; } while (0)

static char *quoted(const char *s, int *at)
{
	char *t = strdup(s + *at);

	if (!t)
		abort();
	*at += (int)strcspn(t, "'") + 1;
	return t;
}

static int scan(const char *s)
{
	long len = (long)strlen(s);
	int c, n = 0, i = 0, si;
	char *t;

	while ((c = s[i])) {
		if (c == '\'') {
			si = i + 1;
			t = quoted(s, &si);
			STOP_AT_END(si, len, c);
			n += t[0];
			free(t);
			i = si;
			continue;
		}
		i++;
	}
	return n + i;
}

static int limited(const char *s)
{
	int n = (int)strlen(s);
	char *p = strdup(s);

	if (!p)
		return 0;
	LIMIT(n);
	n += p[0];
	free(p);
	return n;
}

static int required(const char *s)
{
	char *p = strdup(s);
	int ok = s[0] != '!';

	if (!p)
		return 0;
	REQUIRE(ok);
	ok += p[0];
	free(p);
	return ok;
}

int main(void)
{
	printf("%d %d %d\n", scan("a'b'c"), scan("a'bc"), scan("abc"));
	printf("%d %d\n", limited("abc"), limited("abcd"));
	printf("%d %d\n", required("x"), required("!"));
	return 0;
}
