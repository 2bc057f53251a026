// An event loop that never ends: what it holds is never lost; what each round loses is.
#include <stdlib.h>

int wait_event(void);

static void serve(char *state) __attribute__((noreturn));

static void serve(char *state)
{
	for (;;) {
		char *ev = malloc(16);

		if (!ev)
			continue;
		ev[0] = (char)wait_event();
		state[0] += ev[0];
		free(ev);
	}
}

int daemon_ok(void)
{
	char *state = malloc(1);

	if (!state)
		return -1;
	serve(state);
}

void daemon_bad(void)
{
	for (;;) {
		char *ev = malloc(16); // LEAK(conditional)

		if (!ev)
			continue;
		ev[0] = (char)wait_event();
		if (ev[0] == 'x')
			continue;
		free(ev);
	}
}
