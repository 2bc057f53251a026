// What was loaded is used by the library itself: to unload it because nobody has the handle would end that.
// LEAKS: 0
// UNITS: main.c
#include <stdio.h>

typedef struct provider OSSL_PROVIDER;
typedef struct context OSSL_LIB_CTX;

OSSL_PROVIDER *OSSL_PROVIDER_load(OSSL_LIB_CTX *ctx, const char *name);
int OSSL_PROVIDER_unload(OSSL_PROVIDER *p);
const char *OSSL_PROVIDER_get0_name(const OSSL_PROVIDER *p);
int OSSL_PROVIDER_available(OSSL_LIB_CTX *ctx, const char *name);

static int load(const char *name)
{
	OSSL_PROVIDER_load(NULL, name);
	return OSSL_PROVIDER_available(NULL, name);
}

static int load_checked(const char *name)
{
	if (!OSSL_PROVIDER_load(NULL, name))
		return -1;
	return OSSL_PROVIDER_available(NULL, name);
}

static int load_named(const char *name)
{
	OSSL_PROVIDER *p = OSSL_PROVIDER_load(NULL, name);

	if (!p)
		return -1;
	return OSSL_PROVIDER_get0_name(p)[0];
}

int main(void)
{
	OSSL_PROVIDER *p;

	printf("%d %d %d\n", load("a"), load_checked("b"), load_named("c"));
	printf("%d %d\n", OSSL_PROVIDER_available(NULL, "a"), OSSL_PROVIDER_available(NULL, "c"));
	p = OSSL_PROVIDER_load(NULL, "d");
	if (p)
		OSSL_PROVIDER_unload(p);
	printf("%d\n", OSSL_PROVIDER_available(NULL, "d"));
	return 0;
}
