/*
 * stale_list.c - a list that grows, can be reached from a global, and is never read again.
 *
 * LEAK session_new
 * FINE hot_start
 */
#include "leaks.h"

struct session {
	struct session *next;
	char name[120];
};

static struct session *sessions;

NOINLINE static void session_new(unsigned id)
{
	struct session *s = checked(malloc(sizeof(*s)));

	snprintf(s->name, sizeof(s->name), "session %u", id);
	s->next = sessions;
	sessions = s;
}

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	unsigned n = 0;

	for (hot_start(); now() < end; end_round())
		for (int i = 0; i < 20; i++)
			session_new(n++ + hot_use());
	hot_end();
	return sessions == NULL;
}
