// RUN: plumb dump ir %s
// Inline assembly is given its operands; several results are taken apart.

void *move(void *p)
{
	void *q;

	asm volatile("mov %1, %0" : "=r"(q) : "r"(p) : "memory");
	return q;
}

int two(void **a, void *b)
{
	int x, y;

	asm("# %0 %1 %2 %3" : "=r"(x), "=r"(y), "+m"(*a) : "r"(b));
	return x + y;
}

void barrier(void)
{
	asm volatile("" ::: "memory");
}
