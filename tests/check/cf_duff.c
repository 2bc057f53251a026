// Control flow that no textbook draws: a switch into the middle of a loop, irreducible jumps.
#include <stdlib.h>

void duff_ok(char *to, const char *from, int n)
{
	char *tmp = malloc(n + 1);
	int rounds = (n + 3) / 4;

	if (!tmp)
		return;
	switch (n % 4) {
	case 0:
		do {
			*to++ = *from++;
			/* fall through */
	case 3:
			*to++ = *from++;
			/* fall through */
	case 2:
			*to++ = *from++;
			/* fall through */
	case 1:
			*to++ = *from++;
		} while (--rounds > 0);
	}
	free(tmp);
}

void into_the_loop_bad(int n)
{
	char *p = malloc(8); // LEAK(conditional)

	if (n > 5)
		goto inside;
	while (n > 0) {
		n--;
inside:
		if (n == 3)
			return;
		n--;
	}
	free(p);
}

void into_the_loop_ok(int n)
{
	char *p = malloc(8);

	if (n > 5)
		goto inside;
	while (n > 0) {
		n--;
inside:
		n--;
	}
	free(p);
}
