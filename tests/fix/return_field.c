// A returned field, and a type that must be repeated for the temporary.
// LEAKS: 2
// PATCH: ^\+.*free\(r\);
#include <stdio.h>
#include <stdlib.h>

struct ratio {
	unsigned long long num, den;
};

static struct ratio *ratio_new(unsigned long long n, unsigned long long d)
{
	struct ratio *r = malloc(sizeof *r);

	if (!r)
		abort();
	while (n % 2 == 0 && d % 2 == 0) {
		n /= 2;
		d /= 2;
	}
	r->num = n;
	r->den = d;
	return r;
}

static unsigned long long denominator(unsigned long long n, unsigned long long d)
{
	struct ratio *r = ratio_new(n, d);

	return r->den;
}

int main(void)
{
	printf("%llu %llu\n", denominator(4, 12), denominator(1ULL << 40, 1ULL << 60));
	return 0;
}
