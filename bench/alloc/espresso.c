/*
 * espresso [ROUNDS] - families of sets, as a logic minimiser has them.
 *
 * Like espresso: sets of a few dozen to a few hundred bytes, in growing arrays, copied,
 * intersected and thrown away in waves.  Prints a checksum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct set {
	unsigned words;
	uint64_t w[];
};

struct family {
	struct set **v;
	size_t n, cap;
};

static uint64_t seed = 88172645463325252u;

static uint64_t random64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static struct set *set_new(unsigned words)
{
	struct set *s = malloc(sizeof(*s) + words * sizeof(s->w[0]));

	s->words = words;
	return s;
}

static void family_add(struct family *f, struct set *s)
{
	if (f->n == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 8;
		f->v = realloc(f->v, f->cap * sizeof(f->v[0]));
	}
	f->v[f->n++] = s;
}

static void family_clear(struct family *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->v[i]);
	free(f->v);
	memset(f, 0, sizeof(*f));
}

static struct set *set_and(const struct set *a, const struct set *b)
{
	struct set *s = set_new(a->words);

	for (unsigned i = 0; i < a->words; i++)
		s->w[i] = a->w[i] & b->w[i];
	return s;
}

static unsigned set_count(const struct set *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->words; i++)
		n += (unsigned)__builtin_popcountll(s->w[i]);
	return n;
}

static void fill(struct family *f, unsigned words, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		struct set *s = set_new(words);

		for (unsigned i = 0; i < words; i++)
			s->w[i] = random64() | random64();
		family_add(f, s);
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 60;
	uint64_t sum = 0;

	for (int r = 0; r < rounds; r++) {
		struct family on = { 0 }, result = { 0 };
		unsigned words = 2 + (unsigned)r % 24;

		fill(&on, words, 300);
		for (size_t i = 0; i < on.n; i++)
			for (size_t k = i + 1; k < on.n; k++) {
				struct set *s = set_and(on.v[i], on.v[k]);
				unsigned c = set_count(s);

				sum += c;
				if (c % 16 == 3)
					family_add(&result, s);
				else
					free(s);
			}
		sum += result.n;
		family_clear(&result);
		family_clear(&on);
	}
	printf("%lu\n", sum);
	return 0;
}
