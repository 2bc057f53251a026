// RUN: plumb dump ir %s
// Computed goto and asm goto: a goto to one of its targets.

extern void free(void *);

int run(const char *code, char *p)
{
	static void *const ops[] = { &&stop, &&step, &&drop };

	goto *ops[(int)*code++];
step:
	goto *ops[(int)*code++];
drop:
	free(p);
	goto *ops[(int)*code++];
stop:
	return 0;
}

int patched(char *p)
{
	asm goto("jmp %l1" : : "r"(p) : : on);
	return 0;
on:
	free(p);
	return 1;
}

int back(int n)
{
again:
	if (n > 10)
		goto out;
	n++;
	goto again;
out:
	return n;
}
