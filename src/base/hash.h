/*
 * hash.h - non-cryptographic hashing: tables, checksums, cache keys.
 *
 * The values are part of file formats (IR checksum, cache keys, finding ids):
 * they must not depend on the machine's byte order or word size, and changing
 * them means raising the format versions.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A full-avalanche mix of one word. */
static inline uint64_t hash_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ull;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ull;
	x ^= x >> 32;
	return x;
}

static inline uint64_t hash_join(uint64_t h, uint64_t x)
{
	return hash_mix(h * 0x9e3779b97f4a7c15ull + x);
}

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);

static inline uint64_t hash_str(const char *s)
{
	return hash_bytes(s, strlen(s), 0);
}

/* 128 bits, for names of cache entries: fed piece by piece. */
struct hash128 {
	uint64_t a, b;
};

void hash128_init(struct hash128 *h);
void hash128_add(struct hash128 *h, const void *p, size_t n);	/* length is hashed too */
void hash128_str(struct hash128 *h, const char *s);
/* Writes 32 hex digits and a NUL. */
void hash128_hex(const struct hash128 *h, char out[33]);

#endif
