// Static slot buffers, allocated once and returned by turns: SVF reports wget's at every call.
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 4

static char *number_text(long n)
{
	static char *ring[SLOTS];
	static int pos;

	if (!ring[pos])
		ring[pos] = malloc(32);
	if (!ring[pos])
		return "?";
	snprintf(ring[pos], 32, "%ld", n);
	pos = (pos + 1) % SLOTS;
	return ring[(pos + SLOTS - 1) % SLOTS];
}

void print_two_ok(long a, long b)
{
	printf("%s %s\n", number_text(a), number_text(b));
}

void keep_for_a_while_ok(long a)
{
	char *s = number_text(a);

	if (a > 3)
		puts(s);
}

static char *ring_by_realloc(int n)
{
	static char *ring[SLOTS];
	static int pos;
	char *s;

	pos = (pos + 1) % SLOTS;
	s = realloc(ring[pos], n);
	if (s)
		ring[pos] = s;
	return s;
}

int third_ok(int n)
{
	char *s = ring_by_realloc(n);

	return s ? s[0] : 0;
}
