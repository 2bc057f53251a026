// A goto back: a loop by hand.
#include <stdlib.h>

int try_once(char *buf);

int retry_ok(int n)
{
	char *buf;
	int r;

again:
	buf = malloc(n);
	if (!buf)
		return -1;
	buf[0] = (char)n;
	r = buf[n - 1];
	free(buf);
	if (r > 0 && --n > 1)
		goto again;
	return r;
}

int retry_bad(int n)
{
	char *buf;
	int r;

again:
	buf = malloc(n); // LEAK
	if (!buf)
		return -1;
	buf[0] = (char)n;
	r = buf[n - 1];
	if (r > 0 && --n > 1)
		goto again;	/* the next round forgets this one's */
	free(buf);
	return r;
}

int retry_same_buffer_ok(int n)
{
	char *buf = malloc(64);
	int r;

	if (!buf)
		return -1;
again:
	buf[0] = (char)n;
	r = buf[63];
	if (r > 0 && --n > 1)
		goto again;
	free(buf);
	return r;
}
