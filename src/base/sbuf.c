/*
 * sbuf.c - a growing string.
 *
 * Invariant (sbuf__check): s is NULL and n and cap are 0, or n < cap and s[n] is NUL.
 */
#include "base/sbuf.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

bool sbuf__check(const struct sbuf *b)
{
	if (!b->s)
		return b->n == 0 && b->cap == 0;
	return b->n < b->cap && b->s[b->n] == '\0';
}

/* Makes room for k more bytes and the NUL. */
static void reserve(struct sbuf *b, size_t k)
{
	size_t want;

	assert(b->n < b->cap || (!b->s && !b->n && !b->cap));
	if (k < b->cap - b->n)
		return;
	if (k > SIZE_MAX / 2 - b->n - 1)
		mem_exhausted(k);
	want = b->n + k + 1;
	b->cap = mem_room(want, MAX(want, b->cap ? b->cap + b->cap / 2 : 32));
	b->s = xrealloc(b->s, b->cap);
}

void sbuf_release(struct sbuf *b)
{
	free(b->s);
	memset(b, 0, sizeof(*b));
}

void sbuf_clear(struct sbuf *b)
{
	b->n = 0;
	if (b->s)
		b->s[0] = '\0';
}

const char *sbuf_str(const struct sbuf *b)
{
	assert(sbuf__check(b));
	return b->s ? b->s : "";
}

char *sbuf_detach(struct sbuf *b)
{
	char *s = b->s ? b->s : xstrdup("");

	assert(sbuf__check(b));
	memset(b, 0, sizeof(*b));
	return s;
}

void sbuf_addc(struct sbuf *b, char c)
{
	reserve(b, 1);
	b->s[b->n++] = c;
	b->s[b->n] = '\0';
}

/* p must not point into b: growing may move it. */
void sbuf_add(struct sbuf *b, const void *p, size_t n)
{
	assert(!b->s || (uintptr_t)p < (uintptr_t)b->s || (uintptr_t)p >= (uintptr_t)b->s + b->cap);
	reserve(b, n);
	if (n)
		memcpy(b->s + b->n, p, n);
	b->n += n;
	b->s[b->n] = '\0';
}

void sbuf_adds(struct sbuf *b, const char *s)
{
	sbuf_add(b, s, strlen(s));
}

void sbuf_vprintf(struct sbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	int k;

	reserve(b, 0);
	va_copy(again, ap);
	k = vsnprintf(b->s + b->n, b->cap - b->n, fmt, ap);
	if (k < 0) {	/* more than INT_MAX bytes, or a bad wide string: adds nothing */
		b->s[b->n] = '\0';
	} else {
		if ((size_t)k >= b->cap - b->n) {
			reserve(b, (size_t)k);
			vsnprintf(b->s + b->n, b->cap - b->n, fmt, again);
		}
		b->n += (size_t)k;
	}
	va_end(again);
}

void sbuf_printf(struct sbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sbuf_vprintf(b, fmt, ap);
	va_end(ap);
}
