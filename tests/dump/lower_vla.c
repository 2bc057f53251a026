// RUN: plumb dump ir %s
// Variable-length arrays and alloca(): a dynamic slot; a constant alloca() is a plain one.

int vla(int n, int m)
{
	int a[n][m];

	a[1][2] = n;
	return a[0][1] + (int)sizeof(a);
}

char *stack(unsigned long n)
{
	char *p = __builtin_alloca(n), *q = __builtin_alloca(16);

	q[1] = 0;
	return n > 16 ? p : q;
}

int param(int n, int a[n])
{
	return a[n - 1];
}
