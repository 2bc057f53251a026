// A mode tested by switch here and by if there.
#include <stdlib.h>
#include <string.h>

enum mode { PLAIN, QUOTED, RAW };

void switch_then_if_ok(enum mode m, const char *s)
{
	char *buf = NULL;

	switch (m) {
	case QUOTED:
		buf = strdup(s);
		break;
	case PLAIN:
	case RAW:
		break;
	}
	if (m == QUOTED)
		free(buf);
}

void if_then_switch_ok(enum mode m, const char *s)
{
	char *buf = NULL;

	if (m == QUOTED)
		buf = strdup(s);
	switch (m) {
	case QUOTED:
		free(buf);
		break;
	default:
		break;
	}
}

void wrong_mode_bad(enum mode m, const char *s)
{
	char *buf = NULL;

	if (m == QUOTED)
		buf = strdup(s); // LEAK(conditional)
	if (m == RAW)
		free(buf);
}

void range_ok(int n)
{
	char *buf = NULL;

	if (n > 10)
		buf = malloc(n);
	if (n >= 11)
		free(buf);
}
