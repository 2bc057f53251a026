// Who counts references is asked for the object again when it is no longer wanted, and then it is released: the program has left
// its own reference there.
// LEAKS: 0
// UNITS: main.c
// EXPECT: either
// NEVER: ^\+.*SSL_CTX_free
#include <stdio.h>
#include <stdlib.h>

typedef struct ctx SSL_CTX;
typedef struct conn SSL;

SSL_CTX *SSL_CTX_new(const void *method);
void SSL_CTX_free(SSL_CTX *c);
SSL *SSL_new(SSL_CTX *c);
void SSL_free(SSL *s);
SSL_CTX *SSL_get_SSL_CTX(const SSL *s);
int SSL_connect(SSL *s);

struct http {
	SSL *tls;
};

static int start(struct http *h)
{
	SSL_CTX *context = SSL_CTX_new(NULL);

	h->tls = SSL_new(context);
	if (!h->tls || SSL_connect(h->tls) < 1) {
		SSL_CTX_free(context);
		SSL_free(h->tls);
		h->tls = NULL;
		return -1;
	}
	return 0;
}

static void stop(struct http *h)
{
	SSL_CTX *context = SSL_get_SSL_CTX(h->tls);

	SSL_free(h->tls);
	SSL_CTX_free(context);
	h->tls = NULL;
}

static void drop(SSL_CTX *a, SSL_CTX *b, int n)
{
	SSL_CTX *one = a;

	if (n)
		one = b;
	SSL_CTX_free(one);
}

int main(void)
{
	struct http h = { NULL };

	if (start(&h) < 0)
		return 1;
	puts("started");
	stop(&h);
	drop(SSL_CTX_new(NULL), NULL, 0);
	return 0;
}
