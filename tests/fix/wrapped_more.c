// The program closes its files by a function that takes more, but all that lasts of it is fclose(); and by one that counts them.
// LEAKS: 2
// EXPECT: partial
// LEFT: 1
// PATCH: ^\+.*fclose\(f\);
// REFUSED: counted_close\(\), which releases it, takes more
#include <stdio.h>
#include <stdlib.h>

static int nopen;

static int open_file(FILE **f, const char *name)
{
	*f = fopen(name, "r");
	return *f ? 0 : -1;
}

static void close_file(int *ret, FILE *f)
{
	int n = fclose(f);

	if (!*ret)
		*ret = n;
}

static int first(const char *name, int n)
{
	FILE *f = NULL;
	int ret = open_file(&f, name);

	if (ret < 0)
		return ret;
	if (n > 1) {
		puts("no");
		return n;
	}
	close_file(&ret, f);
	return ret;
}

static int counted_open(FILE **f, const char *name)
{
	*f = fopen(name, "r");
	nopen += *f != NULL;
	return *f ? 0 : -1;
}

static void counted_close(int *ret, FILE *f)
{
	nopen--;
	*ret = fclose(f);
}

static int second(const char *name, int n)
{
	FILE *f = NULL;
	int ret = counted_open(&f, name);

	if (ret < 0)
		return ret;
	if (n > 1) {
		puts("no");
		return n;
	}
	counted_close(&ret, f);
	return ret;
}

int main(void)
{
	printf("%d %d %d\n", first("/dev/null", 1), first("/dev/null", 2), first("/nonexistent", 2));
	printf("%d %d %d\n", second("/dev/null", 1), second("/dev/null", 2), second("/nonexistent", 2));
	return nopen != 1;
}
