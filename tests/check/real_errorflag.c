/* A stream has an error flag that its codecs set, always together with returning NULL, and that the only
 * function that calls them asks right behind.  So there is no buffer where it is set.  (The second stream is
 * read by two functions, one of which does not ask; the third by one that asks too late; the fourth sets its flag and
 * returns a buffer.) */
#include <stdio.h>
#include <stdlib.h>

struct buffer { int len; char *data; };
struct stream;
struct codec { struct buffer *(*process)(struct stream *, struct codec *); int kind; struct codec *next; };
struct stream { struct codec *codecs; int error, log; };

extern int next_page(void *), page_kind(void), page_is_bad(void), page_length(void), is_header(void);
extern void note(const char *);

static struct buffer *buffer_new(int len)
{
	struct buffer *b = malloc(sizeof(*b));

	if (!b)
		abort();
	b->data = malloc((size_t)len + 1);
	b->len = len;
	return b;
}

void buffer_free(struct buffer *b)
{
	free(b->data);
	free(b);
}

static struct buffer *process_plain(struct stream *s, struct codec *c)
{
	struct buffer *b;

	if (page_is_bad()) {
		s->error = 1;
		return NULL;
	}
	if (is_header()) {
		c->kind++;
		return NULL;
	}
	b = buffer_new(page_length());
	b->len += c->kind;
	return b;
}

static struct buffer *process_log(struct stream *s, struct codec *c)
{
	if (page_is_bad() || c->kind < 3) {
		s->error = 1;
		note("bad page");
		return NULL;
	}
	s->log++;
	return buffer_new(page_length());
}

static int begin(struct stream *s)
{
	struct codec *c = calloc(1, sizeof(*c));

	if (!c || page_is_bad()) {
		free(c);
		s->error = 1;
		return -1;
	}
	c->kind = page_kind();
	c->process = c->kind == 2 ? process_log : process_plain;
	c->next = s->codecs;
	s->codecs = c;
	return 0;
}

static struct buffer *process(struct stream *s)
{
	struct codec *c;

	for (c = s->codecs; c; c = c->next)
		if (c->kind == page_kind())
			return c->process(s, c);
	return NULL;
}

struct buffer *read_ok(struct stream *s)
{
	while (next_page(s)) {
		struct buffer *b = NULL;

		if (is_header())
			begin(s);
		else
			b = process(s);
		if (s->error) {
			note("problem in stream");
			return NULL;
		}
		if (b)
			return b;
	}
	return NULL;
}

/* ---- read by two functions ---- */

struct stream2 { int error, n; };

static struct buffer *process2(struct stream2 *s)
{
	if (page_is_bad()) {
		s->error = 1;
		return NULL;
	}
	return buffer_new(page_length()); // LEAK@two
}

static struct buffer *read2(struct stream2 *s)
{
	struct buffer *b = process2(s); // LEAK@two

	if (s->error)
		return NULL;
	return b;
}

int read_two_bad(struct stream2 *s)
{
	struct buffer *b;

	b = process2(s); // LEAK@two
	if (b)
		buffer_free(b);
	b = read2(s); // LEAK@two
	if (b)
		buffer_free(b);
	return s->n;
}

/* ---- asked too late ---- */

struct stream3 { int error, n; };

static int begin3(struct stream3 *s)
{
	if (page_is_bad())
		s->error = 1;
	return s->n;
}

void read_late_bad(struct stream3 *s)
{
	struct buffer *b;

	while (next_page(s)) {
		begin3(s);
		b = buffer_new(page_length()); // LEAK(conditional)
		if (s->error)
			return;
		buffer_free(b);
	}
}

/* ---- set, and a buffer ---- */

struct stream4 { int error, n; };

static struct buffer *process4(struct stream4 *s)
{
	struct buffer *b = buffer_new(page_length()); // LEAK@four

	if (page_is_bad())
		s->error = 1;
	return b;
}

int read_set_bad(struct stream4 *s)
{
	while (next_page(s)) {
		struct buffer *b = process4(s); // LEAK@four

		if (s->error)
			return -1;
		buffer_free(b);
	}
	return 0;
}

int main(void)
{
	static struct stream s;
	static struct stream2 s2;
	static struct stream3 s3;
	static struct stream4 s4;
	struct buffer *b = read_ok(&s);

	if (b)
		buffer_free(b);
	read_late_bad(&s3);
	return read_two_bad(&s2) + read_set_bad(&s4);
}
