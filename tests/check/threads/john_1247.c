// openwall/john 1247: a key is read from memory through OpenSSL; the BIO and the key are lost, each on
// its own paths.
#include <stddef.h>

typedef struct bio_st BIO;
typedef struct rsa_st RSA;
typedef int password_cb(char *buf, int size, int rw, void *u);

BIO *BIO_new_mem_buf(const void *buf, int n);
int BIO_free(BIO *b);
RSA *PEM_read_bio_RSAPrivateKey(BIO *b, RSA **to, password_cb *ask, void *u);
void RSA_free(RSA *key);

static int no_password(char *buf, int size, int rw, void *u)
{
	(void)buf, (void)size, (void)rw, (void)u;
	return 0;
}

int valid_ok(const char *text, int n)
{
	BIO *b = BIO_new_mem_buf(text, n);
	RSA *key;

	if (!b)
		return -1;
	key = PEM_read_bio_RSAPrivateKey(b, NULL, no_password, NULL);
	BIO_free(b);
	if (!key)
		return 0;
	RSA_free(key);
	return 1;
}

int valid_bad(const char *text, int n)
{
	BIO *b = BIO_new_mem_buf(text, n); // LEAK(conditional)
	RSA *key;

	if (!b)
		return -1;
	key = PEM_read_bio_RSAPrivateKey(b, NULL, no_password, NULL); // LEAK(never-freed)
	if (!key)
		return 0;
	BIO_free(b);
	return 1;
}
