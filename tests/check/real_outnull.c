/* *fp tested through the out-parameter, the return code tells the caller */
#include <stdio.h>
extern FILE *output_stream;
static int open_it(const char *n, FILE **fp, int c)
{
	if (!output_stream) {
		if (c)
			*fp = fopen(n, "ab");
		else
			*fp = fopen(n, "wb");
		if (!*fp) {
			perror(n);
			return 3;
		}
	} else
		*fp = output_stream;
	return 25;
}
int f(const char *n, int c)
{
	FILE *fp = NULL;
	int err = open_it(n, &fp, c);
	if (err != 25)
		return err;
	fputs("x", fp);
	if (!output_stream)
		fclose(fp);
	return 0;
}
