// A channel number becomes a bit of a mask.
#include <stdlib.h>

int start(unsigned ch);

int open_ok(unsigned ch)
{
	unsigned mask = 0;
	char *ring[2] = { NULL, NULL };

	if (ch > 1)
		return -1;
	ring[ch] = malloc(128);
	if (!ring[ch])
		return -1;
	mask |= 1u << ch;
	start(ch);
	if (mask & 1)
		free(ring[0]);
	if (mask & 2)
		free(ring[1]);
	return 0;
}

int open_bad(unsigned ch)
{
	unsigned mask = 0;
	char *buf;

	if (ch > 1)
		return -1;
	buf = malloc(128); // LEAK(conditional,high) via 0 +1 +5 +7
	if (!buf)
		return -1;
	mask |= 1u << ch;
	start(ch);
	if (mask & 2)
		free(buf);
	return 0;
}
