// facebook/infer 671: freopen() closes the stream that it is given, also when it fails; the old stream
// was reported. The new one has to be closed.
#include <stdio.h>

int reopened_ok(const char *a, const char *b)
{
	FILE *f = fopen(a, "r");

	if (!f)
		return -1;
	f = freopen(b, "rb", f);
	if (!f)
		return -1;
	fclose(f);
	return 0;
}

int reopened_bad(const char *a, const char *b)
{
	FILE *f = fopen(a, "r"); // FN(vfg): LEAK@stream

	if (!f)
		return -1;
	f = freopen(b, "rb", f); // FN(vfg): LEAK@stream
	if (!f)
		return -1;
	return fgetc(f);
}
