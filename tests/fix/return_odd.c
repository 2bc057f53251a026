// Values that a variable takes only if they are written with care.
// LEAKS: 18
// PATCH: ^\+.* plumb_ret = \(put\(p, 1\), n\);$
// PATCH: ^\+	say\(p\);$
// PATCH: ^\+	return;$
// PATCH: ^\+	int plumb_ret = /\* the larger \*/ p\[0\] > n \? p\[0\] : n;
// PATCH: ^\+	int \(\*plumb_ret\)\[3\] = row\(p\);
// PATCH: ^\+	bool plumb_ret = 
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int put(char *p, int n)
{
	p[0] = (char)n;
	return n;
}

static void say(const char *p)
{
	printf("%d\n", p[0]);
}

static int (*row(const char *p))[3]
{
	static int rows[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };

	return &rows[p[0] & 1];
}

static int comma(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	return put(p, 1), n;
}

static long comma_wider(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	return put(p, 1), put(p, n);
}

static void nothing(int n)
{
	char *p = malloc(8);

	if (!p)
		return;
	put(p, n);
	return say(p);
}

static int commented(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	put(p, 2);
	return /* the larger */ p[0] > n ? p[0] : n;
}

static int (*rows_of(int n))[3]
{
	char *p = malloc(8);

	if (!p)
		exit(1);
	put(p, n);
	return row(p);
}

static bool truth(int n)
{
	char *p = malloc(8);

	if (!p)
		return false;
	put(p, n);
	return p[0] > 1;
}

int main(void)
{
	for (int n = 0; n < 3; n++) {
		printf("%d %ld %d %d %d\n", comma(n), comma_wider(n), commented(n), (*rows_of(n))[1], truth(n));
		nothing(n);
	}
	return 0;
}
