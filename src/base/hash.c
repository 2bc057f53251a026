/*
 * hash.c - hashing of bytes.
 *
 * Long inputs go through four independent lanes of one multiply-rotate-multiply
 * step each eight bytes: the multiplications of different lanes overlap, and
 * the loop runs at memory speed.  Words are read little-endian on every
 * machine.  Each step is a bijection of the word for a given lane and of the
 * lane for a given word, so that two inputs that differ in one word always
 * differ in the lane; the end joins lanes, rest and length by hash_mix.
 *
 * Not for keys that an enemy may choose: collisions can be found.
 */
#include "base/hash.h"

#include <assert.h>
#include <stdio.h>

/* Odd, with no pattern in their bits: the digits of sqrt(11), sqrt(2), sqrt(3), pi, e. */
#define K1 0x9b05688c2b3e6c1full
#define K2 0xb504f333f9de6485ull
#define K3 0xbb67ae8584caa73bull
#define K4 0xc90fdaa22168c235ull
#define K5 0xadf85458a2bb4a9bull

static inline uint64_t rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

static inline uint64_t get64(const unsigned char *p)
{
	uint64_t x;

	memcpy(&x, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return x;
}

static inline uint64_t get32(const unsigned char *p)
{
	uint32_t x;

	memcpy(&x, p, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap32(x);
#endif
	return x;
}

static inline uint64_t step(uint64_t lane, uint64_t word)
{
	return rotl(lane + word * K2, 31) * K1;
}

/* The last 1 to 7 bytes as one word.  For one n, different bytes give different words; n
 * is hashed as well. */
static inline uint64_t get_rest(const unsigned char *p, size_t n)
{
	assert(n >= 1 && n <= 7);
	if (n >= 4)
		return get32(p) | get32(p + n - 4) << 32;
	return p[0] | (uint64_t)p[n / 2] << 8 | (uint64_t)p[n - 1] << 16;
}

uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed)
{
	const unsigned char *p = bytes;
	uint64_t h = (seed ^ K3) + (uint64_t)n * K4;

	if (n >= 32) {
		uint64_t a = h, b = h ^ K2, c = h + K4, d = h ^ K5;

		for (; n >= 32; n -= 32, p += 32) {
			a = step(a, get64(p));
			b = step(b, get64(p + 8));
			c = step(c, get64(p + 16));
			d = step(d, get64(p + 24));
		}
		h = hash_join(hash_join(hash_join(hash_mix(a), b), c), d);
	}
	for (; n >= 8; n -= 8, p += 8)
		h = step(h, get64(p));
	if (n)
		h = step(h, get_rest(p, n));
	return hash_mix(h);
}

void hash128_init(struct hash128 *h)
{
	h->a = K4;
	h->b = K5;
}

void hash128_add(struct hash128 *h, const void *p, size_t n)
{
	h->a = hash_bytes(p, n, h->a);
	h->b = hash_bytes(p, n, hash_mix(h->b + K3));
}

void hash128_str(struct hash128 *h, const char *s)
{
	hash128_add(h, s, strlen(s));
}

void hash128_hex(const struct hash128 *h, char out[33])
{
	snprintf(out, 33, "%016llx%016llx", (unsigned long long)h->a, (unsigned long long)h->b);
}
