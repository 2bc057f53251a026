// A saved value whose place is jumped over is declared at the start of the block around it, and has a name that nothing else has.
// CFLAGS: -Wjump-misses-init -Wshadow
// LEAKS: 5
// PATCH: ^\+	int plumb_ret2;$
// PATCH: ^\+	int plumb_ret3;$
// PATCH: ^\+		plumb_ret2 = put\(p, 2\);$
#include <stdio.h>
#include <stdlib.h>

static int plumb_ret = 40;

static int put(char *p, int n)
{
	p[0] = (char)n;
	return n + plumb_ret;
}

static int cases(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	switch (n) {
	case 1:
		puts("one");
		return put(p, 2);
	case 2:
		puts("two");
		return put(p, 3);
	default:
		puts("more");
		free(p);
	}
	return 3;
}

static int label(int n)
{
	char *p = malloc(8);

	if (!p || n == 2)
		goto out;
	puts("not two");
	return put(p, 4);
out:
	puts("two");
	free(p);
	return 4;
}

int main(void)
{
	for (int n = 0; n < 4; n++)
		printf("%d %d\n", cases(n), label(n));
	return 0;
}
