/* the rounds of a cipher, written out: each value is used by the next ones twice and more, forty levels deep */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct state {
	uint32_t a, b, c, d;
};

#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define ROUND(a, b, c, d) \
	a += b; d = ROTATE(d ^ a, 16); \
	c += d; b = ROTATE(b ^ c, 12); \
	a += b; d = ROTATE(d ^ a, 8); \
	c += d; b = ROTATE(b ^ c, 7);
#define FOUR(a, b, c, d) ROUND(a, b, c, d) ROUND(b, c, d, a) ROUND(c, d, a, b) ROUND(d, a, b, c)

/* Gives a new block, and a number made from it. */
static uint32_t *encrypt(const struct state *key, uint32_t *weight)
{
	uint32_t a = key->a, b = key->b, c = key->c, d = key->d, *out;

	FOUR(a, b, c, d)
	FOUR(a, b, c, d)
	FOUR(a, b, c, d)
	FOUR(a, b, c, d)
	out = malloc(2 * sizeof(*out));
	if (!out)
		return NULL;
	*weight = a ^ b;
	if (*weight == 0)
		*weight = c ^ d;
	out[0] = a;
	out[1] = b;
	return out;
}

int rounds_ok(const struct state *key)
{
	uint32_t weight, *block = encrypt(key, &weight);
	int low;

	if (!block)
		return -1;
	low = weight < 16;
	free(block);
	return low;
}

int rounds_bad(const struct state *key)
{
	uint32_t weight, *block = encrypt(key, &weight);	// LEAK(conditional)

	if (!block)
		return -1;
	if (weight < 16)
		return 1;
	free(block);
	return 0;
}

/* The same, with the rounds between the allocation and the branch. */
int inside_ok(const struct state *key, const char *text)
{
	uint32_t a = key->a, b = key->b, c = key->c, d = key->d;
	char *copy = strdup(text);

	if (!copy)
		return -1;
	FOUR(a, b, c, d)
	FOUR(a, b, c, d)
	FOUR(a, b, c, d)
	FOUR(a, b, c, d)
	if (a != d)
		free(copy);
	if (a == d)
		free(copy);
	return 0;
}

int inside_bad(const struct state *key, const char *text)
{
	uint32_t a = key->a, b = key->b, c = key->c, d = key->d;
	char *copy = strdup(text);				// LEAK(conditional)

	if (!copy)
		return -1;
	FOUR(a, b, c, d)
	FOUR(a, b, c, d)
	FOUR(a, b, c, d)
	FOUR(a, b, c, d)
	if (a != d)
		free(copy);
	return 0;
}
