/* a length or -1: with a length comes the text, and a length is never -1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int encode(char *dst, const char *src)
{
	char *start = dst;

	while (*src) {
		if (*src < ' ')
			*dst++ = '\\';
		*dst++ = *src++;
	}
	*dst = '\0';
	return (int)(dst - start);
}

static int encoded(char **out, const char *src)
{
	char *buf = calloc(4, strlen(src) + 1);
	int len;

	if (buf == NULL)
		return -1;
	len = encode(buf, src);
	*out = realloc(buf, (size_t)len + 1);
	if (*out == NULL)
		*out = buf;
	return len;
}

void say(const char *s)
{
	char *out;

	if (encoded(&out, s) == -1)
		return;
	puts(out);
	free(out);
}
