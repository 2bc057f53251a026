// An unsigned number is never negative, and n - 1 wraps at zero.
#include <stdlib.h>

int fill_ok(unsigned n)
{
	char *p = malloc(n + 1u);

	if (!p)
		return -1;
	p[0] = 0;
	if ((int)n >= 0 && n > 0x7fffffffu)
		return -2;	/* never */
	free(p);
	return 0;
}

int last_ok(const char *s, unsigned n)
{
	char *p;
	int r;

	if (n - 1 >= 100)	/* zero or more than a hundred */
		return -1;
	p = malloc(n);
	if (!p)
		return -1;
	if (n == 0)
		return -2;	/* never */
	p[n - 1] = s[0];
	r = p[n - 1];
	free(p);
	return r;
}

int last_bad(const char *s, unsigned n)
{
	char *p;
	int r;

	if (n > 100)
		return -1;
	p = malloc(n + 1u); // LEAK(conditional)
	if (!p)
		return -1;
	if (n == 0)
		return -2;
	p[n - 1] = s[0];
	r = p[n - 1];
	free(p);
	return r;
}
