/*
 * u_hash.c - hashing: fixed values (they are part of file formats), and how well
 * it spreads.
 */
#include "unit.h"

#include "base/hash.h"
#include "base/mem.h"

/* If this fails, the values have changed: raise the version of every format that
 * holds them, or find out what went wrong. */
TEST(fixed_values)
{
	static const struct { const char *text; uint64_t hash; } known[] = {
		{ "", 0xf5370ff930695f3aull },
		{ "a", 0x6689feaf33a86bb9ull },
		{ "abc", 0x733035038efc309dull },
		{ "main", 0xe3356eefd611e195ull },
		{ "malloc", 0x645c6d9d24d6bd0full },
		{ "0123456", 0x2ec32aa060b56646ull },
		{ "01234567", 0x609419abe20d05a1ull },
		{ "012345678", 0x218eacec5e70cb9cull },
		{ "src/http/http-client.c", 0xb1b6d16c7e1fc6a0ull },
		{ "0123456789abcdef0123456789abcdef", 0x219522a6ac7cac6eull },
		{ "0123456789abcdef0123456789abcdef0123456789abcdef-", 0x28cc8920f8fddf19ull },
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (hash_str(known[i].text) != known[i].hash)
			FAIL("hash_str(\"%s\") is 0x%016" PRIx64 ", expected 0x%016" PRIx64,
			     known[i].text, hash_str(known[i].text), known[i].hash);
}

/* As hash_bytes is defined, byte by byte, without reading words. */
static uint64_t word_at(const unsigned char *p)
{
	uint64_t x = 0;

	for (int i = 7; i >= 0; i--)
		x = x << 8 | p[i];
	return x;
}

static uint64_t slow_step(uint64_t lane, uint64_t word)
{
	lane += word * 0xb504f333f9de6485ull;
	return (lane << 31 | lane >> 33) * 0x9b05688c2b3e6c1full;
}

static uint64_t slow_hash(const unsigned char *p, size_t n, uint64_t seed)
{
	uint64_t h = (seed ^ 0xbb67ae8584caa73bull) + n * 0xc90fdaa22168c235ull;
	unsigned char rest[8] = {0};

	if (n >= 32) {
		uint64_t lane[4] = { h, h ^ 0xb504f333f9de6485ull, h + 0xc90fdaa22168c235ull,
				     h ^ 0xadf85458a2bb4a9bull };

		for (; n >= 32; n -= 32)
			for (int i = 0; i < 4; i++, p += 8)
				lane[i] = slow_step(lane[i], word_at(p));
		h = hash_mix(lane[0]);
		for (int i = 1; i < 4; i++)
			h = hash_join(h, lane[i]);
	}
	for (; n >= 8; n -= 8, p += 8)
		h = slow_step(h, word_at(p));
	if (n >= 4) {
		memcpy(rest, p, 4);
		memcpy(rest + 4, p + n - 4, 4);
	} else if (n) {
		rest[0] = p[0];
		rest[1] = p[n / 2];
		rest[2] = p[n - 1];
	}
	if (n)
		h = slow_step(h, word_at(rest));
	return hash_mix(h);
}

TEST(definition)
{
	unsigned char buf[300];
	struct unit_rng rng = { 41 };

	for (size_t i = 0; i < sizeof(buf); i++)
		buf[i] = (unsigned char)unit_rand(&rng);
	for (size_t n = 0; n < 280; n++)
		for (size_t at = 0; at < 9; at++)
			CHECK_EQ_INT(hash_bytes(buf + at, n, n * at), slow_hash(buf + at, n, n * at));
}

/* A heap copy of exact size: AddressSanitizer sees every byte read too far. */
TEST(reads_no_further)
{
	for (size_t n = 0; n < 200; n++) {
		unsigned char *p = xcalloc(n, 1);

		hash_bytes(p, n, 0);
		free(p);
	}
	CHECK(hash_bytes(NULL, 0, 1) != hash_bytes(NULL, 0, 2));
}

/* Every flipped bit of input turns each bit of output in about half the cases. */
static void avalanche(size_t n)
{
	enum { TRIES = 400 };
	struct unit_rng rng = { 42 + n };
	unsigned char buf[128];
	static unsigned turned[64];
	uint64_t a, b;

	for (size_t bit = 0; bit < n * 8; bit++) {
		memset(turned, 0, sizeof(turned));
		for (int t = 0; t < TRIES; t++) {
			for (size_t i = 0; i < n; i++)
				buf[i] = (unsigned char)unit_rand(&rng);
			a = hash_bytes(buf, n, 0);
			buf[bit / 8] ^= (unsigned char)(1 << bit % 8);
			b = a ^ hash_bytes(buf, n, 0);
			for (int k = 0; k < 64; k++)
				turned[k] += b >> k & 1;
		}
		for (int k = 0; k < 64; k++)	/* 6 standard deviations */
			if (turned[k] < TRIES / 2 - 60 || turned[k] > TRIES / 2 + 60)
				FAIL("%zu bytes: input bit %zu turns output bit %d %u times of %d",
				     n, bit, k, turned[k], TRIES);
	}
}

TEST(avalanche)
{
	avalanche(1);
	avalanche(3);
	avalanche(7);
	avalanche(8);
	avalanche(15);
	avalanche(32);
	avalanche(67);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void all_different(uint64_t *h, size_t n)
{
	qsort(h, n, sizeof(*h), by_value);
	for (size_t i = 1; i < n; i++)
		CHECK(h[i] != h[i - 1]);
}

TEST(no_collision_of_similar_names)
{
	enum { N = 100000 };
	uint64_t *h = xcalloc(N, sizeof(*h));
	char name[64];

	for (int i = 0; i < N; i++) {
		snprintf(name, sizeof(name), "src/lib/file_%d.c:%d", i % 317, i / 317);
		h[i] = hash_str(name);
	}
	all_different(h, N);
	free(h);
}

/* Damage that a checksum must see: one or two flipped bits, a cut, zeros. */
TEST(no_collision_of_damaged_blocks)
{
	enum { SIZE = 160, N = SIZE * 8 * 20 };
	uint64_t *h = xcalloc(N + SIZE, sizeof(*h));
	unsigned char buf[SIZE] = {0};
	size_t n = 0;

	for (int i = 0; i < SIZE * 8; i++) {
		buf[i / 8] ^= (unsigned char)(1 << i % 8);
		h[n++] = hash_bytes(buf, SIZE, 0);
		for (int k = 1; k < 20; k++) {
			int j = i + 256 * k;	/* the same place of the lane, later words */

			if (j >= SIZE * 8)
				continue;
			buf[j / 8] ^= (unsigned char)(1 << j % 8);
			h[n++] = hash_bytes(buf, SIZE, 0);
			buf[j / 8] ^= (unsigned char)(1 << j % 8);
		}
		buf[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	for (size_t len = 0; len < SIZE; len++)
		h[n++] = hash_bytes(buf, len, 0);
	all_different(h, n);
	free(h);
}

static void hex_of(char out[33], const char *a, const char *b)
{
	struct hash128 h;

	hash128_init(&h);
	hash128_str(&h, a);
	if (b)
		hash128_str(&h, b);
	hash128_hex(&h, out);
}

TEST(hash128)
{
	char x[33], y[33];

	hex_of(x, "ab", "c");
	CHECK_EQ_STR(x, "d10e14b77341a5754f9ebe0318d79dc8");
	CHECK_EQ_INT(strspn(x, "0123456789abcdef"), 32);
	hex_of(y, "ab", "c");
	CHECK_EQ_STR(y, x);
	hex_of(y, "a", "bc");
	CHECK(!str_eq(x, y));
	hex_of(y, "abc", NULL);
	CHECK(!str_eq(x, y));
	hex_of(y, "abc", "");
	CHECK(!str_eq(x, y));
	hex_of(y, "ac", "b");
	CHECK(!str_eq(x, y));
	/* the halves are not the same function */
	CHECK(memcmp(x, x + 16, 16) != 0);
}
