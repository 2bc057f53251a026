/*
 * bytes.c - numbers and strings in files of ours: see bytes.h.
 */
#include "base/bytes.h"

void put_u64(struct sbuf *b, uint64_t x)
{
	char c[8];

	for (int i = 0; i < 8; i++)
		c[i] = (char)(x >> 8 * i);
	sbuf_add(b, c, sizeof(c));
}

void put_num(struct sbuf *b, uint64_t x)
{
	for (; x >= 0x80; x >>= 7)
		sbuf_addc(b, (char)(x | 0x80));
	sbuf_addc(b, (char)x);
}

void put_int(struct sbuf *b, int64_t x)
{
	put_num(b, (uint64_t)x << 1 ^ (uint64_t)(x >> 63));
}

void put_str(struct sbuf *b, const char *s)
{
	sbuf_add(b, s, strlen(s) + 1);
}

const void *get_bytes(struct bytes *r, size_t n)
{
	const char *p = r->p;

	assert(r->p <= r->end);
	if (r->bad || (size_t)(r->end - p) < n) {
		r->bad = true;
		return NULL;
	}
	r->p += n;
	return p;
}

uint64_t get_u64(struct bytes *r)
{
	const unsigned char *p = get_bytes(r, 8);
	uint64_t x = 0;

	for (int i = 0; p && i < 8; i++)
		x |= (uint64_t)p[i] << 8 * i;
	return x;
}

uint64_t get_num(struct bytes *r)
{
	uint64_t x = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		const unsigned char *p = get_bytes(r, 1);

		if (!p)
			return 0;
		x |= (uint64_t)(*p & 0x7f) << shift;
		if (!(*p & 0x80))
			return x;
	}
	r->bad = true;
	return 0;
}

int64_t get_int(struct bytes *r)
{
	uint64_t x = get_num(r);

	return (int64_t)(x >> 1 ^ -(x & 1));
}

const char *get_str(struct bytes *r)
{
	const char *s = r->p, *nul = r->bad ? NULL : memchr(s, '\0', (size_t)(r->end - s));

	if (!nul) {
		r->bad = true;
		return "";
	}
	r->p = nul + 1;
	return s;
}
