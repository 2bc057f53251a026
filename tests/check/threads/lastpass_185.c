// lastpass/lastpass-cli 185: a stream with a cleanup function was reported as open at each return.
#include <stdio.h>

#define AUTO_CLOSE __attribute__((cleanup(close_it)))

static void close_it(FILE **f)
{
	if (*f)
		fclose(*f);
}

int read_ok(const char *path, char *to, int n)
{
	AUTO_CLOSE FILE *f = fopen(path, "r");

	if (!f)
		return -1;
	if (!fgets(to, n, f))
		return -1;
	return 0;
}

int read_bad(const char *path, char *to, int n)
{
	FILE *f = fopen(path, "r"); // LEAK(conditional)

	if (!f)
		return -1;
	if (!fgets(to, n, f))
		return -1;
	fclose(f);
	return 0;
}
