// Intrusive lists whose heads are global: linked in, the object is kept.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct link { struct link *next; };
struct timer { long when; struct link link; char *what; };

static struct link *timers;

void timer_add_ok(long when, const char *what)
{
	struct timer *t = malloc(sizeof(*t));

	if (!t)
		return;
	t->when = when;
	t->what = strdup(what);
	t->link.next = timers;
	timers = &t->link;
}

void timer_run(void)
{
	while (timers) {
		struct timer *t = (struct timer *)((char *)timers - offsetof(struct timer, link));

		timers = timers->next;
		free(t->what);
		free(t);
	}
}

void timer_too_early_bad(long when)
{
	struct timer *t = malloc(sizeof(*t)); // LEAK(conditional)

	if (!t)
		return;
	t->when = when;
	t->what = NULL;
	if (when < 0)
		return;
	t->link.next = timers;
	timers = &t->link;
}
