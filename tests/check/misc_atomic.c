// Atomics and builtins that carry pointers.
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) slot;
static char *plain;

int publish_ok(int n)
{
	char *p = malloc(n), *none = NULL;

	if (!p)
		return -1;
	if (!atomic_compare_exchange_strong(&slot, &none, p))
		free(p);
	return 0;
}

int exchange_ok(int n)
{
	char *old = __atomic_exchange_n(&plain, malloc(n), __ATOMIC_ACQ_REL);

	free(old);
	return 0;
}

int store_ok(int n)
{
	if (!atomic_load(&slot))
		atomic_store(&slot, malloc(n));
	return 0;
}

int local_atomic_bad(int n)
{
	_Atomic(char *) p = malloc(n); // LEAK(never-freed)

	return atomic_load(&p) != NULL;
}

int lost_race_bad(int n)
{
	char *p = malloc(n), *none = NULL; // FN(path): LEAK(conditional)

	if (!p)
		return -1;
	if (!atomic_compare_exchange_strong(&slot, &none, p))
		return 1;
	return 0;
}
