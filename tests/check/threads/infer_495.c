// facebook/infer 495: a buffer is given to a function that fills and returns it; the tool lost it
// there.  Where the filler can return null instead, the buffer is lost.
#include <stdlib.h>

static char *unescape_into(char *to, const char *from)
{
	char *p = to;

	while (*from) {
		if (*from == '%')
			from++;
		else
			*p++ = *from++;
	}
	*p = '\0';
	return to;
}

static char *unescape_strict(char *to, const char *from)
{
	char *p = to;

	for (; *from; from++) {
		if (*from == '%')
			return NULL;
		*p++ = *from;
	}
	*p = '\0';
	return to;
}

char *unescape_ok(const char *from, size_t n)
{
	char *buf = malloc(n + 1);

	if (!buf)
		return NULL;
	return unescape_into(buf, from);
}

char *unescape_bad(const char *from, size_t n)
{
	char *buf = malloc(n + 1); // LEAK(conditional)

	if (!buf)
		return NULL;
	return unescape_strict(buf, from);
}
