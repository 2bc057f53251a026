// Bits of a flag word.
#include <stdlib.h>
#include <string.h>

#define F_COPY 1
#define F_LOG 2

void same_bit_ok(unsigned flags, const char *s)
{
	char *copy = NULL;

	if (flags & F_COPY)
		copy = strdup(s);
	if (flags & F_COPY)
		free(copy);
}

void other_bit_bad(unsigned flags, const char *s)
{
	char *copy = NULL;

	if (flags & F_COPY)
		copy = strdup(s); // LEAK(conditional)
	if (flags & F_LOG)
		free(copy);
}

struct str { unsigned owned : 1; char *s; };

void owned_bit_ok(const char *s, int dup)
{
	struct str x = { 0, (char *)s };

	if (dup) {
		x.s = strdup(s);
		x.owned = 1;
	}
	if (x.owned)
		free(x.s);
}
