// RUN: plumb dump ir %s
// Atomics: a load, the operation, a store; that of a compare-and-swap may not happen.

_Atomic(char *) head;
_Atomic int count;

char *swap(char *p)
{
	return __c11_atomic_exchange(&head, p, __ATOMIC_SEQ_CST);
}

int push(char *p)
{
	char *old = 0;

	return __c11_atomic_compare_exchange_weak(&head, &old, p, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

int bump(volatile int *n)
{
	__sync_fetch_and_add(n, 2);
	__sync_fetch_and_nand(n, 4);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return count++;
}

char *look(void)
{
	return head;
}
