// rauc/rauc 428: g_variant_lookup() and g_variant_get() copy a string for "s" and lend it for "&s".
#include <stddef.h>
#include <stdio.h>

typedef struct _GVariant GVariant;

int g_variant_lookup(GVariant *dict, const char *key, const char *format, ...);
void g_variant_get(GVariant *v, const char *format, ...);
void g_free(void *p);

int lent_ok(GVariant *dict)
{
	const char *text;

	if (!g_variant_lookup(dict, "message", "&s", &text))
		return -1;
	return puts(text);
}

int copied_ok(GVariant *dict)
{
	char *text;
	int ret;

	if (!g_variant_lookup(dict, "message", "s", &text))
		return -1;
	ret = puts(text);
	g_free(text);
	return ret;
}

int copied_bad(GVariant *dict)
{
	char *text;

	if (!g_variant_lookup(dict, "message", "s", &text)) // FN: LEAK
		return -1;
	return puts(text);
}

int got_bad(GVariant *pair)
{
	char *text;
	int n;

	g_variant_get(pair, "(si)", &text, &n); // FN: LEAK
	puts(text);
	return n;
}
