/*
 * cfrac [N] - arithmetic on large numbers, each result in a block of its own.
 *
 * Like cfrac: very many small objects of a few sizes, most of which die at once.
 * Finds a factor of N numbers by Pollard's rho method; prints the factors.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct num {
	unsigned n;
	uint32_t d[];
};

static struct num *num_new(unsigned n)
{
	struct num *x = malloc(sizeof(*x) + n * sizeof(x->d[0]));

	x->n = n;
	return x;
}

static struct num *num_trim(struct num *x)
{
	while (x->n > 0 && x->d[x->n - 1] == 0)
		x->n--;
	return x;
}

static struct num *num_small(uint64_t v)
{
	struct num *x = num_new(2);

	x->d[0] = (uint32_t)v;
	x->d[1] = (uint32_t)(v >> 32);
	return num_trim(x);
}

static int num_cmp(const struct num *a, const struct num *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (unsigned i = a->n; i-- > 0;)
		if (a->d[i] != b->d[i])
			return a->d[i] < b->d[i] ? -1 : 1;
	return 0;
}

static struct num *num_add(const struct num *a, const struct num *b)
{
	unsigned n = (a->n > b->n ? a->n : b->n) + 1;
	struct num *x = num_new(n);
	uint64_t c = 0;

	for (unsigned i = 0; i < n; i++) {
		c += (i < a->n ? a->d[i] : 0) + (uint64_t)(i < b->n ? b->d[i] : 0);
		x->d[i] = (uint32_t)c;
		c >>= 32;
	}
	return num_trim(x);
}

static struct num *num_sub(const struct num *a, const struct num *b)
{
	struct num *x = num_new(a->n);
	int64_t c = 0;

	for (unsigned i = 0; i < a->n; i++) {
		c += (int64_t)a->d[i] - (i < b->n ? b->d[i] : 0);
		x->d[i] = (uint32_t)c;
		c >>= 32;
	}
	return num_trim(x);
}

static struct num *num_mul(const struct num *a, const struct num *b)
{
	struct num *x = num_new(a->n + b->n);

	memset(x->d, 0, x->n * sizeof(x->d[0]));
	for (unsigned i = 0; i < a->n; i++) {
		uint64_t c = 0;

		for (unsigned k = 0; k < b->n; k++) {
			c += (uint64_t)a->d[i] * b->d[k] + x->d[i + k];
			x->d[i + k] = (uint32_t)c;
			c >>= 32;
		}
		x->d[i + b->n] = (uint32_t)c;
	}
	return num_trim(x);
}

static struct num *num_shift(const struct num *a, unsigned bits)
{
	struct num *x = num_new(a->n + bits / 32 + 1);
	unsigned w = bits / 32, b = bits % 32;

	memset(x->d, 0, x->n * sizeof(x->d[0]));
	for (unsigned i = 0; i < a->n; i++) {
		uint64_t v = (uint64_t)a->d[i] << b;

		x->d[i + w] |= (uint32_t)v;
		x->d[i + w + 1] |= (uint32_t)(v >> 32);
	}
	return num_trim(x);
}

static unsigned num_bits(const struct num *a)
{
	return a->n ? a->n * 32 - (unsigned)__builtin_clz(a->d[a->n - 1]) : 0;
}

/* a mod m; a is used up. */
static struct num *num_mod(struct num *a, const struct num *m)
{
	while (num_cmp(a, m) >= 0) {
		unsigned s = num_bits(a) - num_bits(m);
		struct num *t = num_shift(m, s), *r;

		if (num_cmp(t, a) > 0) {
			free(t);
			t = num_shift(m, s - 1);
		}
		r = num_sub(a, t);
		free(t);
		free(a);
		a = r;
	}
	return a;
}

static struct num *num_gcd(struct num *a, struct num *b)
{
	while (b->n > 0) {
		struct num *t = num_mod(a, b);

		a = b;
		b = t;
	}
	free(b);
	return a;
}

static struct num *step(struct num *x, const struct num *one, const struct num *m)
{
	struct num *sq = num_mul(x, x), *r = num_mod(sq, m), *s = num_add(r, one);

	free(r);
	free(x);
	return num_mod(s, m);
}

static uint64_t factor(uint64_t p, uint64_t q)
{
	struct num *a = num_small(p), *b = num_small(q), *m = num_mul(a, b), *one = num_small(1);
	struct num *x = num_small(2), *y = num_small(2), *g = num_small(1);
	uint64_t f;

	while (num_cmp(g, one) == 0) {
		struct num *d;

		x = step(x, one, m);
		y = step(step(y, one, m), one, m);
		d = num_cmp(x, y) < 0 ? num_sub(y, x) : num_sub(x, y);
		free(g);
		if (d->n == 0) {
			g = d;
			break;
		}
		g = num_gcd(num_add(m, d), d);
	}
	f = (g->n > 0 ? g->d[0] : 0) | (uint64_t)(g->n > 1 ? g->d[1] : 0) << 32;
	free(a);
	free(b);
	free(m);
	free(one);
	free(x);
	free(y);
	free(g);
	return f;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 8;
	static const uint64_t p[] = { 1000003, 1299709, 2097593, 4194319, 15485863, 32452843 };

	for (int i = 0; i < n; i++)
		printf("%lu\n", factor(p[i % 6], 4294967311u + 0 * (unsigned)i));
	return 0;
}
