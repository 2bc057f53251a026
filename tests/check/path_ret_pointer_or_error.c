// An error number hidden in a pointer, as the kernel does.
#include <stdint.h>
#include <stdlib.h>

#define MAX_ERR 4095

static inline void *err_ptr(long e) { return (void *)(intptr_t)e; }
static inline int is_err(const void *p)
{
	return (uintptr_t)p >= (uintptr_t)-MAX_ERR;
}

int permitted(int uid);

static char *grab(int uid)
{
	char *p;

	if (!permitted(uid))
		return err_ptr(-13);
	p = malloc(100); // LEAK@p: by use_bad()
	return p ? p : err_ptr(-12);
}

int use_ok(int uid)
{
	char *p = grab(uid);

	if (is_err(p))
		return -1;
	p[0] = 1;
	free(p);
	return 0;
}

int use_bad(int uid, int n)
{
	char *p = grab(uid); // LEAK@p

	if (is_err(p))
		return -1;
	if (n < 0)
		return -2;
	p[0] = 1;
	free(p);
	return 0;
}
