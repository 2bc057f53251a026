// A pointer into a block that realloc has moved.
#include <stdlib.h>
#include <string.h>

int grow_ok(unsigned n)
{
	char *buf = malloc(16), *t;
	size_t at;

	if (!buf)
		return -1;
	at = 3;
	t = realloc(buf, 16 + n);
	if (!t) {
		free(buf);
		return -1;
	}
	t[at] = 'x';
	n = (unsigned char)t[0];
	free(t);
	return n;
}

int grow_bad(unsigned n)
{
	char *buf = malloc(16), *pos, *t;

	if (!buf)
		return -1;
	pos = buf + 3;
	t = realloc(buf, 16 + n);
	if (!t) {
		free(buf);
		return -1;
	}
	*pos = 'x'; // FN(vfg): USE-AFTER-FREE
	free(t);
	return n;
}
