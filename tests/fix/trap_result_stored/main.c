// What a function of a library returns is what it also stores through its argument: there, somebody may have got it.
// LEAKS: 3
// UNITS: main.c
#include <stdio.h>

typedef struct cert X509;

X509 *d2i_X509(X509 **out, const unsigned char **from, long n);
void X509_free(X509 *x);
long X509_get_version(const X509 *x);

struct chain {
	X509 *certs[4];
	int n;
};

static int read_all(struct chain *c, const unsigned char *from)
{
	X509 *cert;

	for (;;) {
		cert = NULL;
		if (c->n == 4 || !d2i_X509(&cert, &from, 1))
			break;
		c->certs[c->n++] = cert;
	}
	return c->n;
}

static int read_into(struct chain *c, const unsigned char *from)
{
	if (!d2i_X509(&c->certs[0], &from, 1))
		return -1;
	c->n = 1;
	return 0;
}

static long version(const unsigned char *from)
{
	X509 *cert = NULL;
	long v;

	if (!d2i_X509(&cert, &from, 1))
		return -1;
	v = X509_get_version(cert);
	X509_free(cert);
	return v;
}

static X509 *read_one(X509 **to, const unsigned char *from)
{
	return d2i_X509(to, &from, 1);
}

static long version_wrapped(const unsigned char *from)
{
	X509 *cert = NULL;
	long v;

	if (!read_one(&cert, from))
		return -1;
	v = X509_get_version(cert);
	X509_free(cert);
	return v;
}

static long version_lost(const unsigned char *from)
{
	X509 *cert = NULL;

	if (!d2i_X509(&cert, &from, 1))
		return -1;
	return X509_get_version(cert);
}

static long version_either(const unsigned char *from, int n)
{
	X509 *cert = NULL, *same = d2i_X509(&cert, &from, 1);

	if (!same)
		return -1;
	if (n == 1)
		return n;
	X509_free(n == 2 ? same : cert);
	return n;
}

static X509 *read_first(X509 **to, const unsigned char *from)
{
	X509 *x = d2i_X509(to, &from, 1);

	return x && X509_get_version(x) == 1 ? x : NULL;
}

static long version_first(const unsigned char *from)
{
	X509 *cert = NULL, *first = read_first(&cert, from);

	if (!first)
		return -1;
	X509_free(cert);
	return 1;
}

static void release(struct chain *c)
{
	while (c->n > 0)
		X509_free(c->certs[--c->n]);
}

int main(void)
{
	const unsigned char text[] = { 1, 2, 3, 0 }, none[] = { 0 };
	struct chain c = { .n = 0 };

	printf("%d\n", read_all(&c, text));
	release(&c);
	c.certs[0] = NULL;
	printf("%d %d\n", read_into(&c, text), read_into(&c, none));
	release(&c);
	printf("%ld %ld\n", version(text), version(none));
	printf("%ld %ld\n", version_wrapped(text), version_wrapped(none));
	printf("%ld %ld\n", version_lost(text), version_lost(none));
	printf("%ld %ld %ld %ld\n", version_either(text, 1), version_either(text, 2), version_either(text, 3), version_either(none, 1));
	printf("%ld %ld %ld\n", version_first(text), version_first(text + 1), version_first(none));
	return 0;
}
