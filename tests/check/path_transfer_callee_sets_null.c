// The callee nulls the caller's pointer when it takes the object.
#include <stdlib.h>
#include <string.h>

struct stack { char *top[8]; int n; };

static void push(struct stack *s, char **item)
{
	if (s->n < 8) {
		s->top[s->n++] = *item;
		*item = NULL;
	}
}

void save_ok(struct stack *s, const char *text)
{
	char *copy = strdup(text);

	push(s, &copy);
	free(copy);
}

void save_bad(struct stack *s, const char *text)
{
	char *copy = strdup(text); // LEAK(conditional)

	push(s, &copy);
}
