// An out-parameter through two functions, each with a return code of its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { E_OK = 0, E_OPEN = 1, E_READ = 2 };

static int slurp(const char *path, char **out)
{
	FILE *f = fopen(path, "r");
	char *buf;
	size_t n;

	if (!f)
		return -1;
	buf = malloc(1000);
	if (!buf) {
		fclose(f);
		return -2;
	}
	n = fread(buf, 1, 999, f);
	fclose(f);
	if (n == 0) {
		free(buf);
		return -2;
	}
	buf[n] = 0;
	*out = buf;
	return 0;
}

static int load(const char *path, char **text)
{
	switch (slurp(path, text)) {
	case 0:
		return E_OK;
	case -1:
		return E_OPEN;
	default:
		return E_READ;
	}
}

int size_ok(const char *path)
{
	char *text;
	int n;

	if (load(path, &text) != E_OK)
		return -1;
	n = (int)strlen(text);
	free(text);
	return n;
}

int size_bad(const char *path)
{
	char *text;
	int n;

	if (load(path, &text) != E_OK) // LEAK(conditional)
		return -1;
	n = (int)strlen(text);
	if (n > 500)
		return -2;
	free(text);
	return n;
}
