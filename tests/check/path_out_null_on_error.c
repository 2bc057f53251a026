// The out-parameter is null after an error, so that freeing it is always right.
#include <stdlib.h>
#include <string.h>

static int decode(const char *in, char **out)
{
	size_t i, n = strlen(in);
	char *p;

	*out = NULL;
	if (n % 2)
		return -1;
	p = malloc(n / 2 + 1);
	if (!p)
		return -1;
	for (i = 0; i < n / 2; i++)
		p[i] = in[2 * i];
	p[i] = 0;
	*out = p;
	return 0;
}

int check_ok(const char *in)
{
	char *p;
	int err = decode(in, &p), r = -1;

	if (!err)
		r = p[0];
	free(p);
	return r;
}

int check_bad(const char *in)
{
	char *p;
	int err = decode(in, &p); // LEAK(conditional)

	if (err)
		return -1;
	if (p[0] == 0)
		return -2;
	free(p);
	return 0;
}
