// An object of a library, of which nobody says what releases it: free() does not.
// LEAKS: 1
// UNITS: main.c
// EXPECT: refused
// REFUSED: nobody says what releases
#include <stdio.h>

typedef struct cert X509;

void *X509_get_ext_d2i(const X509 *x, int nid, int *critical, int *at);
int OPENSSL_sk_num(const void *names);

static int count(const X509 *x)
{
	void *names = X509_get_ext_d2i(x, 85, NULL, NULL);

	return names ? OPENSSL_sk_num(names) : -1;
}

int main(void)
{
	printf("%d\n", count(NULL));
	return 0;
}
