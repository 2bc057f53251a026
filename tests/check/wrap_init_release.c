// init and release of a value object that sits inside another object.
#include <stdlib.h>
#include <string.h>

struct sbuf { char *s; size_t n, max; };
struct parser { struct sbuf tok; int line; };

static void sbuf_init(struct sbuf *b)
{
	b->s = NULL;
	b->n = b->max = 0;
}

static void sbuf_add(struct sbuf *b, char c)
{
	if (b->n + 1 >= b->max) {
		b->max = b->max ? 2 * b->max : 16;
		b->s = realloc(b->s, b->max);
		if (!b->s)
			exit(1);
	}
	b->s[b->n++] = c;
	b->s[b->n] = 0;
}

static void sbuf_release(struct sbuf *b)
{
	free(b->s);
	sbuf_init(b);
}

static char *sbuf_detach(struct sbuf *b)
{
	char *s = b->s;

	sbuf_init(b);
	return s;
}

int released_ok(const char *s)
{
	struct sbuf b;

	sbuf_init(&b);
	while (*s)
		sbuf_add(&b, *s++);
	sbuf_release(&b);
	return 0;
}

int detached_ok(const char *s)
{
	struct sbuf b;
	char *r;

	sbuf_init(&b);
	while (*s)
		sbuf_add(&b, *s++);
	r = sbuf_detach(&b);
	free(r);
	return 0;
}

int inside_another_ok(const char *s)
{
	struct parser p;

	sbuf_init(&p.tok);
	p.line = 1;
	sbuf_add(&p.tok, *s);
	sbuf_release(&p.tok);
	return p.line;
}
