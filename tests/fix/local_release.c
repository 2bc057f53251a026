// A struct on the stack is filled by calls, and released on some ways only.
// LEAKS: 6
// PATCH: \+.*lexer_release\(&l\)
// PATCH: \+.*buf_release\(&b\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lexer { char *buf; int *marks; const char *p; };

static int lexer_init(struct lexer *l, const char *text)
{
	if (!text[0])
		return -1;	/* nothing is set */
	l->buf = strdup(text);
	if (!l->buf)
		return -1;
	l->marks = calloc(16, sizeof(int));
	if (!l->marks) {
		free(l->buf);
		return -1;
	}
	l->p = l->buf;
	return 0;
}

static void lexer_release(struct lexer *l)
{
	free(l->buf);
	free(l->marks);
}

static int words(const char *text)
{
	struct lexer l;
	int n = 0;

	if (lexer_init(&l, text) < 0)
		return -1;
	for (; *l.p; l.p++) {
		if (*l.p == '\\')
			return -2;
		n += *l.p == ' ';
	}
	lexer_release(&l);
	return n;
}

struct buf { char *s; size_t len, cap; };

static int buf_add(struct buf *b, const char *t)
{
	size_t n = strlen(t);

	if (b->len + n + 1 > b->cap) {
		size_t cap = (b->len + n + 1) * 2;
		char *s = realloc(b->s, cap);

		if (!s)
			return -1;
		b->s = s;
		b->cap = cap;
	}
	memcpy(b->s + b->len, t, n + 1);
	b->len += n;
	return 0;
}

static void buf_release(struct buf *b)
{
	free(b->s);
	b->s = NULL;
	b->len = b->cap = 0;
}

static int length_ok(const char *t)
{
	struct buf b = { NULL, 0, 0 };
	int n;

	buf_add(&b, t);
	n = (int)b.len;
	buf_release(&b);
	return n;
}

static int length(const char *t)
{
	struct buf b = { NULL, 0, 0 };

	if (buf_add(&b, t) < 0)
		return -1;
	return (int)b.len;
}

int main(void)
{
	printf("%d %d %d %d\n", words("a b c"), words("a \\"), words(""), words("\\"));
	printf("%d %d %d\n", length_ok("abc"), length("abc"), length("defg"));
	return 0;
}
