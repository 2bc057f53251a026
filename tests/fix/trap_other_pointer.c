// A pointer by a macro only: under other settings it is the struct itself, which nothing has to be freed of.  One by a typedef,
// or with a macro beside its star, is a pointer always.
// LEAKS: 3
// EXPECT: partial
// LEFT: 1
// REFUSED: under other settings `ctx` may be no pointer
// PATCH: ^\+.*free\(known\);$
// PATCH: ^\+.*free\(marked\);$
#include <stdio.h>
#include <stdlib.h>

struct hash {
	int n;
};

#ifndef HASH_INLINE
#define hash_ctx struct hash *
#define hash_init(c) c = malloc(sizeof(struct hash))
#define hash_add(c, x) ((c) ? (c)->n = (x) : 0)
#define hash_done(c) free(c)
#else
#define hash_ctx struct hash
#define hash_init(c) (c).n = 0
#define hash_add(c, x) ((c).n = (x))
#define hash_done(c) (void)(c)
#endif
#define MARK

typedef struct hash *hash_known;

static int one(int n)
{
	hash_ctx ctx;

	hash_init(ctx);
	if (n < 0)
		return -1;
	hash_add(ctx, n);
	hash_done(ctx);
	return n;
}

static int two(int n)
{
	hash_known known = malloc(sizeof(*known));

	if (!known || n < 0)
		return -1;
	known->n = n;
	free(known);
	return n;
}

static int three(int n)
{
	struct hash *MARK marked = malloc(sizeof(*marked));

	if (!marked || n < 0)
		return -1;
	marked->n = n;
	free(marked);
	return n;
}

int main(void)
{
	printf("%d %d\n", one(2), one(-2));
	printf("%d %d\n", two(2), two(-2));
	printf("%d %d\n", three(2), three(-2));
	return 0;
}
