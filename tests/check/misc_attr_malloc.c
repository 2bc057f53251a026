// Ownership attributes in the source, of gcc and of clang.
#include <stddef.h>

void tex_drop(void *t);
void *tex_make(int n) __attribute__((malloc(tex_drop, 1)));

void *pool_get(int n) __attribute__((ownership_returns(malloc)));
void pool_put(void *p) __attribute__((ownership_takes(malloc, 1)));
void pool_keep(void *p) __attribute__((ownership_holds(malloc, 1)));

int dropped_ok(int n)
{
	void *t = tex_make(n);

	tex_drop(t);
	return 0;
}

int forgotten_bad(int n)
{
	void *t = tex_make(n); // LEAK(never-freed)

	return t != NULL;
}

int one_way_bad(int n)
{
	void *p = pool_get(n); // LEAK(conditional)

	if (n < 0)
		return -1;
	pool_put(p);
	return 0;
}

int put_or_kept_ok(int n)
{
	void *p = pool_get(n);

	if (n < 0)
		pool_put(p);
	else
		pool_keep(p);
	return 0;
}
