// The struct on the stack is not always in the state that its release expects: given away, released by
// hand, or never filled.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct msg { char *text; int n; };

static int msg_init(struct msg *m, const char *s)
{
	m->text = s[0] ? strdup(s) : NULL;
	m->n = 1;
	return m->text ? 0 : -1;
}

static void msg_release(struct msg *m)
{
	free(m->text);
}

static char *taken;

static int handle(const char *s, int how)
{
	struct msg m;

	if (msg_init(&m, s) < 0)
		return -1;
	if (how == 1) {
		taken = m.text;	/* given away */
		return 1;
	}
	if (how == 2) {
		free(m.text);	/* by hand */
		return 2;
	}
	msg_release(&m);
	return 0;
}

int main(void)
{
	printf("%d %d\n", handle("", 0), handle("a", 0));
	printf("%d %d\n", handle("b", 1), handle("c", 2));
	puts(taken);
	free(taken);
	return 0;
}
