// What a function of a library returns is what it also stores through its argument: it is freed if either is.
#include <stddef.h>

typedef struct cert X509;

X509 *d2i_X509(X509 **out, const unsigned char **from, long n);
void X509_free(X509 *x);
long X509_get_version(const X509 *x);

struct chain {
	X509 *certs[4];
	int n;
};

int kept_ok(struct chain *c, const unsigned char *from)
{
	X509 *cert = NULL;

	while (c->n < 4 && d2i_X509(&cert, &from, 1)) {
		c->certs[c->n++] = cert;
		cert = NULL;
	}
	return c->n;
}

int filled_ok(struct chain *c, const unsigned char *from)
{
	return d2i_X509(&c->certs[0], &from, 1) ? 0 : -1;
}

long freed_ok(const unsigned char *from)
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

long wrapped_ok(const unsigned char *from)
{
	X509 *cert = NULL;
	long v;

	if (!read_one(&cert, from))
		return -1;
	v = X509_get_version(cert);
	X509_free(cert);
	return v;
}

long lost_bad(const unsigned char *from)
{
	X509 *cert = NULL;

	if (!d2i_X509(&cert, &from, 1)) // LEAK(never-freed)
		return -1;
	return X509_get_version(cert);
}

long result_freed_ok(const unsigned char *from)
{
	X509 *cert = NULL, *same = d2i_X509(&cert, &from, 1);
	long v = same ? X509_get_version(cert) : -1;

	X509_free(same);
	return v;
}

long forgotten_bad(const unsigned char *from)
{
	X509 *cert = NULL, *same = d2i_X509(&cert, &from, 1); // LEAK(conditional)

	if (!same)
		return -1;
	if (X509_get_version(cert) > 3)
		return 3;
	X509_free(cert);
	return 0;
}
