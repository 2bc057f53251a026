// A macro that frees and forgets, used on every way or not.
#include <stdlib.h>
#include <string.h>

#define FREE(p) do { free(p); (p) = NULL; } while (0)

struct msg { char *from, *to; };

int reply_ok(struct msg *m, const char *who, int drop)
{
	char *tmp = strdup(who);

	if (!tmp)
		return -1;
	if (drop)
		FREE(tmp);
	else
		tmp[0] = 0;
	if (tmp) {
		m->to = tmp;
		return 1;
	}
	return 0;
}

int reply_bad(struct msg *m, const char *who, int drop)
{
	char *tmp = strdup(who); // LEAK(conditional)

	if (!tmp)
		return -1;
	if (drop > 0)
		FREE(tmp);
	if (tmp && drop == 0) {
		m->to = tmp;
		return 1;
	}
	return 0;
}
