/* the function gives NULL or text that is not empty */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *name_of(FILE *f)
{
	char *buf = NULL;
	size_t n = 0;
	int ch;

	while ((ch = fgetc(f)) != EOF) {
		if (ch == '\0')
			break;
		buf = realloc(buf, n + 2);
		if (!buf)
			abort();
		buf[n++] = (char)ch;
	}
	if (buf != NULL)
		buf[n] = '\0';
	return buf;
}

int matches(FILE *f, const char *s)
{
	char *name = name_of(f); // FP(conditional,path)
	int ret;

	if (name == NULL || *name == '\0')
		return 0;
	ret = strstr(name, s) != NULL;
	free(name);
	return ret;
}
