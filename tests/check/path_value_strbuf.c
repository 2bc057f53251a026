// A growing string on the stack; detach hands its memory out.
#include <stdlib.h>
#include <string.h>

struct strbuf { char *s; size_t len, cap; };

#define STRBUF_INIT { NULL, 0, 0 }

static int sb_add(struct strbuf *b, const char *t)
{
	size_t n = strlen(t);

	if (b->len + n + 1 > b->cap) {
		size_t cap = (b->len + n + 1) * 2;
		char *s = realloc(b->s, cap); // LEAK@s: by length_bad()

		if (!s)
			return -1;
		b->s = s;
		b->cap = cap;
	}
	memcpy(b->s + b->len, t, n + 1);
	b->len += n;
	return 0;
}

static void sb_release(struct strbuf *b)
{
	free(b->s);
	b->s = NULL;
	b->len = b->cap = 0;
}

static char *sb_detach(struct strbuf *b)
{
	char *s = b->s;

	b->s = NULL;
	b->len = b->cap = 0;
	return s;
}

char *quote_ok(const char *t)
{
	struct strbuf b = STRBUF_INIT;

	if (sb_add(&b, "'") < 0 || sb_add(&b, t) < 0 || sb_add(&b, "'") < 0) {
		sb_release(&b);
		return NULL;
	}
	return sb_detach(&b);
}

size_t length_ok(const char *t)
{
	struct strbuf b = STRBUF_INIT;
	size_t n;

	sb_add(&b, t);
	n = b.len;
	sb_release(&b);
	return n;
}

size_t length_bad(const char *t)
{
	struct strbuf b = STRBUF_INIT;

	if (sb_add(&b, t) < 0) // LEAK@s
		return 0;
	return b.len;
}
