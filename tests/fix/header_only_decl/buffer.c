#include <stdlib.h>
#include <string.h>
#include "buffer.h"

struct buffer {
	char *data;
	int room, n;
};

struct buffer *buffer_new(int room)
{
	struct buffer *b = malloc(sizeof *b);

	if (!b)
		return NULL;
	b->data = malloc(room);
	if (!b->data) {
		free(b);
		return NULL;
	}
	b->room = room;
	b->n = 0;
	return b;
}

int buffer_put(struct buffer *b, const char *s)
{
	int before = b->n;

	while (*s && b->n < b->room)
		b->data[b->n++] = *s++;
	return b->n - before;
}

void buffer_free(struct buffer *b)
{
	if (!b)
		return;
	free(b->data);
	free(b);
}
