// Where paths meet, what was assumed of a parameter counts: behind the first loop `a` may be 1 at most, or anything.
#include <stdlib.h>
#include <string.h>

void after_a_loop_bad(int a)
{
	for (int i = 0; i < a; i++)
		;
	for (int k = 0; k < a; k++) {
		char *p = k == 1 ? strdup("second") : NULL;	// FN(path): LEAK

		if (p)
			p[0] = 'S';
	}
}

void after_a_branch_bad(int a, int b)
{
	if (a > 1)
		b++;
	for (int k = 0; k < a; k++)
		if (k == 1) {
			char *p = strdup("second");	// FN(path): LEAK

			if (p)
				p[0] = (char)b;
		}
}

void after_a_loop_ok(int a)
{
	for (int i = 0; i < a; i++)
		;
	for (int k = 0; k < a; k++) {
		char *p = k == 1 ? strdup("second") : NULL;

		free(p);
	}
}
