// Everything starts as null, one label frees everything.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int copy_file_ok(const char *from, const char *to)
{
	FILE *in = NULL, *out = NULL;
	char *buf = NULL;
	int ret = -1;
	size_t n;

	in = fopen(from, "r");
	if (!in)
		goto out;
	out = fopen(to, "w");
	if (!out)
		goto out;
	buf = malloc(4096);
	if (!buf)
		goto out;
	while ((n = fread(buf, 1, 4096, in)) > 0)
		if (fwrite(buf, 1, n, out) != n)
			goto out;
	ret = 0;
out:
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	free(buf);
	return ret;
}

int copy_file_bad(const char *from, const char *to)
{
	FILE *in, *out = NULL;
	char *buf = NULL;
	int ret = -1;
	size_t n;

	in = fopen(from, "r"); // LEAK(conditional)
	if (!in)
		return -1;
	buf = malloc(4096);
	if (!buf)
		goto out;
	out = fopen(to, "w");
	if (!out)
		goto out;
	while ((n = fread(buf, 1, 4096, in)) > 0)
		if (fwrite(buf, 1, n, out) != n)
			goto out;
	ret = 0;
out:
	if (out) {
		fclose(in);
		fclose(out);
	}
	free(buf);
	return ret;
}
