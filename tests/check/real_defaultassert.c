/* a case that cannot be is an assertion that fails */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum state { NEW, RUNNING, WAITING, DONE };
struct child { struct child *next; enum state *state; char **lines; };
static struct child *children;
void start(struct child *c);

static void child_free(struct child *c)
{
	free(c->lines);
	free(c);
}

void job(enum state *state, size_t n)
{
	struct child *c = calloc(1, sizeof(*c));

	if (!c)
		abort();
	c->state = state;
	c->lines = malloc(n * sizeof(*c->lines));
	start(NULL);
	switch (*state) {
	case RUNNING:
		c->next = children;
		children = c;
		break;
	case NEW:
	case DONE:
		child_free(c);
		break;
	default:
		assert(*state == DONE);
		break;
	}
}
