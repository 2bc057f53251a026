// A small tokenizer with tokens on the heap.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, NAME, NUMBER, BAD };
struct token { enum kind kind; char *text; long num; };

static struct token next_token(const char **s)
{
	struct token t = { END, NULL, 0 };
	const char *start;

	while (isspace((unsigned char)**s))
		++*s;
	start = *s;
	if (!**s)
		return t;
	if (isdigit((unsigned char)**s)) {
		t.kind = NUMBER;
		t.num = strtol(*s, (char **)s, 10);
		return t;
	}
	while (isalpha((unsigned char)**s))
		++*s;
	if (*s == start) {
		t.kind = BAD;
		return t;
	}
	t.kind = NAME;
	t.text = strndup(start, *s - start);
	return t;
}

static void token_release(struct token *t)
{
	free(t->text);
	t->text = NULL;
}

int count_names_ok(const char *s)
{
	int n = 0;

	for (;;) {
		struct token t = next_token(&s);
		enum kind k = t.kind;

		token_release(&t);
		if (k == END || k == BAD)
			break;
		n += k == NAME;
	}
	return n;
}
