// An undo record is pushed; when the history is full the oldest goes.
#include <stdlib.h>
#include <string.h>

#define DEPTH 4

struct undo { char *text[DEPTH]; int n; };

void undo_push_ok(struct undo *u, const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		return;
	if (u->n == DEPTH) {
		free(u->text[0]);
		memmove(u->text, u->text + 1, (DEPTH - 1) * sizeof(char *));
		u->n--;
	}
	u->text[u->n++] = copy;
}

void undo_clear(struct undo *u)
{
	while (u->n > 0)
		free(u->text[--u->n]);
}

int session_ok(const char *s)
{
	struct undo u = { .n = 0 };
	int i;

	for (i = 0; i < 10; i++)
		undo_push_ok(&u, s);
	i = u.n;
	undo_clear(&u);
	return i;
}

static void undo_push_bad(struct undo *u, const char *s)
{
	char *copy = strdup(s); // FN(path): LEAK@text: the oldest

	if (!copy)
		return;
	if (u->n == DEPTH) {
		memmove(u->text, u->text + 1, (DEPTH - 1) * sizeof(char *));
		u->n--;
	}
	u->text[u->n++] = copy;
}

int session_bad(const char *s)
{
	struct undo u = { .n = 0 };
	int i;

	for (i = 0; i < 10; i++)
		undo_push_bad(&u, s); // FN(path): LEAK@text
	i = u.n;
	undo_clear(&u);
	return i;
}
