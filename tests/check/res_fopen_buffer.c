// A file and a buffer, acquired together.
#include <stdio.h>
#include <stdlib.h>

char *slurp_ok(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *buf = NULL;
	long n;

	if (!f)
		return NULL;
	if (fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) < 0)
		goto out;
	rewind(f);
	buf = malloc(n + 1);
	if (!buf)
		goto out;
	if (fread(buf, 1, n, f) != (size_t)n) {
		free(buf);
		buf = NULL;
		goto out;
	}
	buf[n] = 0;
out:
	fclose(f);
	return buf;
}

char *slurp_bad(const char *path)
{
	FILE *f = fopen(path, "rb"); // LEAK(conditional)
	char *buf;
	long n;

	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	buf = malloc(n + 1); // LEAK(conditional)
	if (!buf)
		return NULL;	/* f */
	if (fread(buf, 1, n, f) != (size_t)n) {
		fclose(f);
		return NULL;	/* buf */
	}
	fclose(f);
	buf[n] = 0;
	return buf;
}
