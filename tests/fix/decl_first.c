// The unit is compiled so that no declaration may stand behind a statement: what is saved is declared at the start of its block.
// CFLAGS: -std=c99 -D_GNU_SOURCE -Wdeclaration-after-statement
// LEAKS: 20
// PATCH: ^\+	int plumb_ret;$
// PATCH: ^\+	plumb_ret = put\(p, n\);$
// PATCH: ^\+	char \*made_result;$
// PATCH: ^\+	made_result = made\(n\);$
// PATCH: ^\+		int plumb_ret = put\(p, 2\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put(char *p, int n)
{
	p[0] = (char)('a' + n);
	p[1] = '\0';
	return n + p[0];
}

static char *made(int n)
{
	char *p = malloc(8);

	if (p)
		put(p, n);
	return p;
}

static int behind_statements(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	put(p, 1);
	return put(p, n);
}

static int in_new_braces(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	if (n > 1)
		return put(p, 2);
	free(p);
	return 0;
}

static int in_blocks(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	switch (n) {
	case 0:
		puts("zero");
		return put(p, 3);
	case 1:
		return put(p, 4);
	default:
		break;
	}
	while (n-- > 0) {
		puts("again");
		if (n == 2)
			continue;
		return put(p, 5);
	}
	free(p);
	return 0;
}

static size_t not_held(int n)
{
	size_t len;

	puts("not held");
	len = strlen(made(n));
	return len;
}

static size_t not_held_returned(int n)
{
	puts("returned");
	return strlen(made(n));
}

/* What keeps the object is set behind the declarations. */
static int some_of_them(int n)
{
	const char *p = n > 1 ? made(n) : "none";
	int sum = 0, i;

	if (!p)
		return -1;
	for (i = 0; p[i]; i++)
		sum += p[i];
	return sum;
}

int main(void)
{
	int i;

	for (i = 0; i < 4; i++) {
		printf("%d %d %d\n", behind_statements(i), in_new_braces(i), in_blocks(i));
		printf("%zu %zu %d\n", not_held(i), not_held_returned(i), some_of_them(i));
	}
	return 0;
}
