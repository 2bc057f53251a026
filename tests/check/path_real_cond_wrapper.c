// ensure() allocates only if there is nothing yet; the caller remembers whether.
#include <stdlib.h>
#include <string.h>

static char *ensure(char *buf, size_t n)
{
	return buf ? buf : malloc(n);
}

int format_ok(char *given, int v)
{
	char *buf = ensure(given, 32);

	if (!buf)
		return -1;
	buf[0] = (char)('0' + v % 10);
	if (buf != given)
		free(buf);
	return 0;
}

int format_null_ok(char *given, int v)
{
	char *buf = ensure(given, 32);

	if (!buf)
		return -1;
	buf[0] = (char)('0' + v % 10);
	if (!given)
		free(buf);
	return 0;
}

int format_bad(char *given, int v)
{
	char *buf = ensure(given, 32); // LEAK(conditional)

	if (!buf)
		return -1;
	buf[0] = (char)('0' + v % 10);
	if (!given && v > 0)
		free(buf);
	return 0;
}
