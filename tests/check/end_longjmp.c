// setjmp and longjmp: not a crash, and no nonsense.
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf top;

static void fail(void)
{
	longjmp(top, 1);
}

int guarded_ok(int n)
{
	char *volatile p = malloc(8);

	if (setjmp(top) != 0) {
		free(p);
		return -1;
	}
	if (n < 0)
		fail();
	free(p);
	return 0;
}

int guarded_bad(int n)
{
	char *volatile p = malloc(8); // LEAK(conditional)

	if (setjmp(top) != 0)
		return -1;
	if (n < 0)
		fail();
	free(p);
	return 0;
}
