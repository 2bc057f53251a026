// The way out is inside a macro, and what it asks cannot be asked before: it calls, it counts, it converts, it asks two things.
// LEAKS: 5
// EXPECT: refused
// REFUSED: macro
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS(p) do { if (strlen(p) > 3) return -1; } while (0)
#define COUNTS(n) do { if (++(n) > 3) return -1; } while (0)
#define CONVERTS(n) do { if ((unsigned char)(n) > 3) return -1; } while (0)
#define SIGNED(n) do { if ((unsigned)(n) > 3) return -1; } while (0)
#define ASKS_TWO(n, m) do { if ((n) > 3 && (m) > 3) return -1; } while (0)

static int calls(const char *s)
{
	char *p = strdup(s);

	CALLS(s);
	puts(p);
	free(p);
	return 0;
}

static int counts(const char *s, int n)
{
	char *p = strdup(s);

	COUNTS(n);
	puts(p);
	free(p);
	return n;
}

static int converts(const char *s, int n)
{
	char *p = strdup(s);

	CONVERTS(n);
	puts(p);
	free(p);
	return n;
}

static int as_unsigned(const char *s, int n)
{
	char *p = strdup(s);

	SIGNED(n);
	puts(p);
	free(p);
	return n;
}

static int asks_two(const char *s, int n, int m)
{
	char *p = strdup(s);

	ASKS_TWO(n, m);
	puts(p);
	free(p);
	return n;
}

int main(void)
{
	printf("%d %d\n", calls("abc"), calls("abcd"));
	printf("%d %d\n", counts("abc", 2), counts("abcd", 3));
	printf("%d %d\n", converts("abc", 256), converts("abcd", 300));
	printf("%d %d\n", as_unsigned("abc", 1), as_unsigned("abcd", -1));
	printf("%d %d\n", asks_two("abc", 1, 4), asks_two("abcd", 4, 4));
	return 0;
}
