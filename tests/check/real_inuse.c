/* false: attaching fails only where the index is in use, and that was asked before */
#include <stdio.h>
#include <stdlib.h>

struct link { int index; struct link *next; };
struct session { struct link *links; };

static struct link *find(struct session *s, int index)
{
	for (struct link *l = s->links; l; l = l->next)
		if (l->index == index)
			return l;
	return NULL;
}

static struct link *add(struct session *s, int index)
{
	struct link *l;

	if (find(s, index) != NULL)
		return NULL;
	l = calloc(1, sizeof(*l));
	if (!l)
		abort();
	l->index = index;
	l->next = s->links;
	s->links = l;
	return l;
}

static struct link *attach(struct session *s, int index, char **cause)
{
	struct link *l = add(s, index);

	if (l == NULL) {
		if (asprintf(cause, "index in use: %d", index) < 0)
			abort();
		return NULL;
	}
	return l;
}

int break_pane(struct session *s, int index, int quiet)
{
	struct link *l;
	char *cause;

	if (find(s, index) != NULL) {
		fprintf(stderr, "index in use: %d\n", index);
		return -1;
	}
	l = attach(s, index, &cause);
	if (!quiet)
		printf("%d\n", l->index);
	return 0;
}

int link_window(struct session *s, int index)
{
	char *cause;

	if (attach(s, index, &cause) == NULL) {
		fprintf(stderr, "%s\n", cause);
		free(cause);
		return -1;
	}
	return 0;
}
