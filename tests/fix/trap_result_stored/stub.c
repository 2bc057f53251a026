/* The library, as far as it is wanted. */
#include <stdlib.h>

struct cert {
	long version;
};

void X509_free(struct cert *x)
{
	free(x);
}

struct cert *d2i_X509(struct cert **out, const unsigned char **from, long n)
{
	struct cert *x = **from ? malloc(sizeof(*x)) : NULL;

	if (!x)
		return NULL;
	x->version = *(*from)++;
	if (out) {
		free(*out);
		*out = x;
	}
	return x;
}

long X509_get_version(const struct cert *x)
{
	return x->version;
}
