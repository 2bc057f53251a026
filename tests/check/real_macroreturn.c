/* true ones: a macro returns; an error after several allocations returns at once */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *param(const char *name);
void refuse(const char *why);
void push(FILE *f);

#define REQUIRE(name, var) do { (var) = param(name); if (!(var)) { refuse(name); return; } } while (0)

void metadata_bad(void)
{
	char *doc = strdup("<doc/>"); // LEAK(conditional)
	const char *mode;

	if (!doc)
		return;
	REQUIRE("mode", mode);
	refuse(mode);
	free(doc);
}

static char *type_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	return strdup(dot ? dot + 1 : "bin");
}

static int header(char *buf, size_t n, const char *type)
{
	return snprintf(buf, n, "Content-Type: %s\r\n", type);
}

int serve_bad(const char *path, const char *range)
{
	FILE *f = fopen(path, "rb"); // LEAK(conditional)
	char buf[4096];
	int n;

	if (!f)
		return -1;
	if (range && range[0] == '-') {
		fclose(f);
		return -1;
	} else {
		char *type = type_of(path); // LEAK(conditional)

		n = header(buf, sizeof(buf), type);
		if (n == -1 || n >= 3584) {
			refuse("header too long");
			return -1;
		}
		free(type);
	}
	push(f);
	return 0;
}
