// Descriptors that are no pointers to see, and fail with -1.
#define _GNU_SOURCE
#include <iconv.h>
#include <locale.h>
#include <stdlib.h>

int converted_ok(const char *from)
{
	iconv_t cd = iconv_open("UTF-8", from);

	if (cd == (iconv_t)-1)
		return -1;
	iconv_close(cd);
	return 0;
}

int converted_bad(const char *from, char *in, size_t n)
{
	iconv_t cd = iconv_open("UTF-8", from); // LEAK(conditional)
	char buf[64], *out = buf;
	size_t left = sizeof(buf);

	if (cd == (iconv_t)-1)
		return -1;
	if (iconv(cd, &in, &n, &out, &left) == (size_t)-1)
		return -2;
	iconv_close(cd);
	return 0;
}

int locale_ok(const char *name)
{
	locale_t l = newlocale(LC_ALL_MASK, name, (locale_t)0);

	if (!l)
		return -1;
	freelocale(l);
	return 0;
}
