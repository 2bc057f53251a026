// A callee that takes its argument over, always; its failure path included.
#include <stdlib.h>
#include <string.h>

struct stack { char *v[8]; int n; };

/* Owns s, whatever happens. */
static int push_own(struct stack *st, char *s)
{
	if (st->n == 8) {
		free(s);
		return -1;
	}
	st->v[st->n++] = s;
	return 0;
}

int pushed_ok(struct stack *st, const char *s)
{
	return push_own(st, strdup(s));
}

int local_stack_ok(const char *s)
{
	struct stack st = {{0}, 0};

	push_own(&st, strdup(s));
	while (st.n > 0)
		free(st.v[--st.n]);
	return 0;
}

int before_the_push_bad(struct stack *st, const char *s)
{
	char *copy = strdup(s); // LEAK(conditional)

	if (!copy)
		return -1;
	if (!*copy)
		return 0;
	return push_own(st, copy);
}
