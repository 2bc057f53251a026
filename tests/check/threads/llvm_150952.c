// llvm/llvm-project 150952: a function that is declared with analyzer_noreturn ends the path for an
// analyser, though it may return in a debugger or a test.
#include <stdlib.h>

void assertion_failed(const char *what) __attribute__((analyzer_noreturn));
void complain(const char *what);

int asserted_ok(int n)
{
	char *p = malloc(8); // FP(conditional)

	if (!p)
		return -1;
	if (n < 0) {
		assertion_failed("n < 0");
		return -1;
	}
	free(p);
	return 0;
}

int complained_bad(int n)
{
	char *p = malloc(8); // LEAK(conditional)

	if (!p)
		return -1;
	if (n < 0) {
		complain("n < 0");
		return -1;
	}
	free(p);
	return 0;
}
