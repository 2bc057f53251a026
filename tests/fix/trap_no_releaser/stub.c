/* The library, as far as it is wanted. */
#include <stdlib.h>

struct names {
	int n;
};

void *X509_get_ext_d2i(const void *x, int nid, int *critical, int *at)
{
	struct names *p = malloc(sizeof(*p));

	if (p)
		p->n = 1;
	return p;
}

int OPENSSL_sk_num(const void *names)
{
	return ((const struct names *)names)->n;
}
