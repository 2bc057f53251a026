#include "stream.h"

#include <stddef.h>
#include <stdlib.h>

struct internal_state {
	int level;
};

int deflateInit2_(z_stream *s, int level, int method, int bits, int mem, int strategy, const char *version, int size)
{
	if (level < 0 || !version[0] || (size_t)size != sizeof(*s))
		return -2;
	s->state = malloc(sizeof(*s->state));
	if (!s->state)
		return -4;
	s->state->level = level + method + bits + mem + strategy;
	return 0;
}

unsigned long deflateBound(z_stream *s, unsigned long n)
{
	return s->state ? n + 12 : n;
}

int deflateEnd(z_stream *s)
{
	if (!s->state)
		return -2;
	free(s->state);
	s->state = NULL;
	return 0;
}
