// The type's destructor cannot be proved to be right here, for a callee may have put anything into the member:
// and free() alone would lose what the maker put there.
// LEAKS: 2
// EXPECT: refused
// REFUSED: would leave them
#include <stdio.h>
#include <stdlib.h>

struct set {
	void **v;
	unsigned n, max;
};

static struct set *set_new(void)
{
	struct set *s = malloc(sizeof(*s));

	if (!s)
		return NULL;
	s->v = malloc(4 * sizeof(*s->v));
	if (!s->v) {
		free(s);
		return NULL;
	}
	s->n = 0;
	s->max = 4;
	return s;
}

static void set_free(struct set *s)
{
	if (!s)
		return;
	free(s->v);
	free(s);
}

static void *some[4], **others = some;

static void set_take(struct set *s, void **v)
{
	free(s->v);
	s->v = v ? v : others;
}

static int fill(unsigned n)
{
	struct set *s = set_new();

	if (!s)
		return -1;
	if (n > 7) {
		set_free(s);
		return -2;
	}
	set_take(s, malloc(16));
	if (n > 3)
		return -3;
	if (s->v != others)
		set_free(s);
	return 0;
}

int main(void)
{
	printf("%d %d %d\n", fill(1), fill(5), fill(9));
	return 0;
}
