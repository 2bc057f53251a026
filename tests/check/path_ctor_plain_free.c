// A plain free() of an object whose field still owns memory, on an error path.
#include <stdlib.h>
#include <string.h>

struct token { char *text; int kind; };

static struct token *token_new(const char *s)
{
	struct token *t = malloc(sizeof(*t));

	if (!t)
		return NULL;
	t->text = strdup(s); // LEAK@text: by kind_of_bad()
	t->kind = t->text && t->text[0] == '-';
	return t;
}

static void token_free(struct token *t)
{
	free(t->text);
	free(t);
}

int kind_of_ok(const char *s)
{
	struct token *t = token_new(s);
	int kind;

	if (!t)
		return -1;
	kind = t->kind;
	token_free(t);
	return kind;
}

int kind_of_bad(const char *s)
{
	struct token *t = token_new(s); // LEAK@text

	if (!t)
		return -1;
	if (t->kind > 0) {
		free(t);
		return -2;
	}
	token_free(t);
	return 0;
}
