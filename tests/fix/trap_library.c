// A library is code: it is there as long as something of it can be called, and what it does by itself ends
// when it is closed.  Not run: what dlopen() allocates is its own affair.
// LEAKS: 0
// NEVER: ^\+.*dlclose\((called|filled|lib|done|dlopen_result)\);
// EXPECT: either
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME "libm.so.6"

/* What is called may have told others of itself. */
static int calls(void)
{
	void *called = dlopen(NAME, RTLD_NOW);
	double (*f)(double);

	if (!called)
		return -1;
	*(void **)&f = dlsym(called, "cos");
	if (!f) {
		dlclose(called);
		return -2;
	}
	return (int)f(0.0);
}

struct plugin {
	double (*root)(double);
};

static int fills(struct plugin *p)
{
	void *filled = dlopen(NAME, RTLD_NOW);

	if (!filled)
		return -1;
	*(void **)&p->root = dlsym(filled, "sqrt");
	return 0;
}

static void *find(void *in, const char *name)
{
	void *p = dlsym(in, name);

	return p;
}

static void *finds(void)
{
	void *lib = dlopen(NAME, RTLD_NOW);

	if (!lib)
		return NULL;
	return find(lib, "exp");
}

/* Only what it does when it is loaded is wanted. */
static int loads(void)
{
	void *done = dlopen(NAME, RTLD_NOW | RTLD_GLOBAL);

	if (!done)
		return -1;
	return 0;
}

static int loads_unnamed(void)
{
	if (!dlopen(NAME, RTLD_NOW | RTLD_GLOBAL))
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	struct plugin p = { NULL };
	double (*e)(double);
	int n;

	if (argc < 2)
		return 0;
	n = calls();
	if (fills(&p) < 0)
		return 1;
	*(void **)&e = finds();
	printf("%d %d %d\n", n, (int)p.root(9.0), e ? (int)e(0.0) : 1);
	printf("%d %d\n", loads(), loads_unnamed());
	return 0;
}
