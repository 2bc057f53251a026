/*
 * live.c - how many objects of a program are still allocated when it ends?
 *
 * Linked into each program of tests/fix, which is compiled with AddressSanitizer.  Says
 * `live objects: N` on standard error after the program's own exit handlers.  Unlike
 * LeakSanitizer it also counts what is still reachable (a FILE is, from a list inside
 * libc), and no stale pointer in a register or an old stack frame can change the number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of the sanitizers' run-time library; gcc has no header for it. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					      void (*on_free)(const volatile void *));

static long live;

static void on_malloc(const volatile void *p, size_t n)
{
	(void)n;
	live += p != NULL;
}

static void on_free(const volatile void *p)
{
	live -= p != NULL;
}

static void tell(void)
{
	long n = live;

	fflush(stdout);
	dprintf(STDERR_FILENO, "live objects: %ld\n", n);
}

/* stdout gets a buffer that is not allocated: it would be counted. */
__attribute__((constructor)) static void start(void)
{
	static char buffer[BUFSIZ];

	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	atexit(tell);
	__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}
