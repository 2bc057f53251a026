// A state machine that owns a buffer in some states.
#include <stdlib.h>
#include <string.h>

enum state { IDLE, READING, DONE };
struct machine { enum state state; char *buf; };

static void machine_reset(struct machine *m)
{
	free(m->buf);
	m->buf = NULL;
	m->state = IDLE;
}

static void machine_feed(struct machine *m, int c)
{
	switch (m->state) {
	case IDLE:
		m->buf = malloc(64);
		m->state = READING;
		break;
	case READING:
		if (c == '\n')
			m->state = DONE;
		else if (m->buf)
			m->buf[0] = (char)c;
		break;
	case DONE:
		machine_reset(m);
		break;
	}
}

int run_ok(const char *s)
{
	struct machine m = { IDLE, NULL };

	while (*s)
		machine_feed(&m, *s++);
	machine_reset(&m);
	return 0;
}
