// What is made under an #if has a type that is known there only: no variable of that type is declared before.  Text is known
// everywhere.
// LEAKS: 2
// EXPECT: partial
// LEFT: 1
// REFUSED: under other settings
// NEVER: ^\+.*TLS \*
// PATCH: ^\+.*strdup_result
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USE_TLS

#ifdef USE_TLS
typedef struct {
	int n;
} TLS;

static TLS *tls_open(int n)
{
	TLS *t = malloc(sizeof(*t));

	if (t)
		t->n = n;
	return t;
}

static int tls_number(const TLS *t)
{
	return t ? t->n : 0;
}
#endif

static int next(void)
{
	static int n;

	return ++n;
}

static int sum(int n)
{
	int r = next();

#ifdef USE_TLS
	r += next() * tls_number(tls_open(n));
#endif
	printf("%d\n", r);
	return r;
}

static size_t length(const char *s)
{
	size_t r = (size_t)next();

#ifdef USE_TLS
	r += (size_t)next() * strlen(strdup(s));
#endif
	printf("%zu\n", r);
	return r;
}

int main(void)
{
	return sum(2) + (int)length("abc") > 1000;
}
