// init() always returns 0, though its type says it might fail.
#include <stdlib.h>

struct timer { int ticks; };

static int timer_init(struct timer *t)
{
	t->ticks = 0;
	return 0;
}

static int timer_arm(struct timer *t, int n)
{
	if (n <= 0)
		return -1;
	t->ticks = n;
	return 0;
}

struct timer *timer_new_ok(void)
{
	struct timer *t = malloc(sizeof(*t));

	if (!t)
		return NULL;
	if (timer_init(t) != 0)
		return NULL;	/* never */
	return t;
}

struct timer *timer_new_bad(int n)
{
	struct timer *t = malloc(sizeof(*t)); // LEAK(conditional,high) via 0 +2 +4 +5

	if (!t)
		return NULL;
	if (timer_init(t) != 0 || timer_arm(t, n) != 0)
		return NULL;
	return t;
}
