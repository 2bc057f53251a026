#include "text.h"

int other(const char *s)
{
	return count_char(s, 'n');
}
