// A state machine: the buffer exists exactly in the states after ST_OPEN.
#include <stdlib.h>

enum state { ST_START, ST_OPEN, ST_BODY, ST_DONE };

int next(void);

int run_ok(void)
{
	enum state st = ST_START;
	char *buf = NULL;
	int c, n = 0;

	while (st != ST_DONE && (c = next()) >= 0) {
		switch (st) {
		case ST_START:
			if (c == '<') {
				buf = malloc(64);
				if (!buf)
					return -1;
				st = ST_OPEN;
			}
			break;
		case ST_OPEN:
			st = c == '>' ? ST_BODY : ST_OPEN;
			break;
		case ST_BODY:
			if (c == '<') {
				n = buf[0];
				st = ST_DONE;
			}
			break;
		case ST_DONE:
			break;
		}
	}
	if (st != ST_START)
		free(buf);
	return n;
}

int run_bad(void)
{
	enum state st = ST_START;
	char *buf = NULL;
	int c, n = 0;

	while (st != ST_DONE && (c = next()) >= 0) {
		switch (st) {
		case ST_START:
			if (c == '<') {
				buf = malloc(64); // LEAK(conditional)
				if (!buf)
					return -1;
				st = ST_OPEN;
			}
			break;
		case ST_OPEN:
			st = c == '>' ? ST_BODY : ST_OPEN;
			break;
		case ST_BODY:
			if (c == '<') {
				n = buf[0];
				st = ST_DONE;
			}
			break;
		case ST_DONE:
			break;
		}
	}
	if (st == ST_DONE)
		free(buf);
	return n;
}
