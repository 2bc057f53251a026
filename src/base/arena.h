/*
 * arena.h - memory of one analysis, given back in one call.
 *
 * An arena hands out memory that is never freed piece by piece.  Built with
 * -DPLUMB_ARENA_MALLOC every piece is a plain malloc on a list, so that leak
 * and bounds checkers, ours first, can see inside.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *head;	/* the newest chunk */
	char *pos, *end;		/* its free part */
	size_t used;			/* bytes handed out */
};

void arena_init(struct arena *a);
void arena_release(struct arena *a);	/* frees everything; a is as after arena_init */

/* n bytes, zeroed, aligned for any type.  n == 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t n);
/* The same for n * size bytes, which must not overflow unseen. */
void *arena_calloc(struct arena *a, size_t n, size_t size);
void *arena_copy(struct arena *a, const void *src, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define arena_new(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define arena_array(a, T, n) ((T *)arena_calloc((a), (size_t)(n), sizeof(T)))

#endif
