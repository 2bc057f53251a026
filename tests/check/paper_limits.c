// Section 6.4 names what SABER misses; the truth is what counts here.
#include <stdlib.h>

int two_of_one_site_bad(int n)
{
	char *v[2];

	for (int i = 0; i < 2; i++)
		v[i] = malloc(n); // FN(path): LEAK(conditional) the second is never freed
	free(v[0]);
	return n;
}

int multi_dimensional_ok(int n)
{
	char *t[2][2];

	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			t[i][k] = malloc(n);
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			free(t[i][k]);
	return 0;
}

int infeasible_path_ok(int n)
{
	char *p = NULL;
	int have = n > 5;

	if (n > 10)
		p = malloc(8);
	if (have)		/* n > 10 implies n > 5 */
		free(p);
	return n;
}
