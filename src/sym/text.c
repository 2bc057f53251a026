/* text.c - comparisons of texts with literals (text.h). */
#include "sym/text.h"
#include "base/hash.h"
#include "base/mem.h"
#include <assert.h>
#include <string.h>

static const struct compares {
	const char *name;
	bool folds, counted;
} functions[] = {
	{ "strcmp", false, false },	    { "strcasecmp", true, false },	   { "strncmp", false, true },
	{ "strncasecmp", true, true },         { "g_strcmp0", false, false },
	{ "g_ascii_strcasecmp", true, false }, { "g_ascii_strncasecmp", true, true },
	{ "xmlStrcmp", false, false },         { "xmlStrcasecmp", true, false },
	{ "xmlStrncmp", false, true },	    { "xmlStrncasecmp", true, true },
};

bool text_compares(const char *callee, uint32_t nargs, int64_t count, struct text_way *way)
{
	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		const struct compares *f = &functions[i];

		if (nargs != 2u + f->counted || !str_eq(callee, f->name))
			continue;
		*way = (struct text_way){ .folds = f->folds, .first = f->counted ? (uint32_t)count : 0 };
		return !f->counted || (count >= 1 && count <= TEXT_MAX);
	}
	return false;
}

/* In the C locale, whatever the machine's: strcasecmp() of the program may fold more. */
static char folded(char c, struct text_way way)
{
	return way.folds && c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

uint64_t text_number(const char *literal, struct text_way way)
{
	char s[TEXT_MAX + 1];
	size_t n = strlen(literal);

	assert(way.first <= TEXT_MAX);
	n = MIN(n, (size_t)TEXT_MAX);
	if (way.first > n)
		way.first = 0;		/* the end of the text is compared, too */
	if (way.first)
		n = way.first;
	for (size_t i = 0; i < n; i++)
		s[i] = folded(literal[i], way);
	s[n] = '\0';
	return (hash_str(s) & ~(uint64_t)0xff) | way.first << 2 | (uint64_t)way.folds << 1 | 1;
}

struct text_way text_way_of(uint64_t number)
{
	return (struct text_way){ .folds = number >> 1 & 1, .first = (uint32_t)(number >> 2 & 0x3f) };
}

int text_order(const char *a, const char *b, struct text_way way)
{
	for (uint32_t i = 0; !way.first || i < way.first; i++) {
		unsigned char x = (unsigned char)folded(a[i], way), y = (unsigned char)folded(b[i], way);

		if (x != y)
			return x < y ? -1 : 1;
		if (!x)
			break;
	}
	return 0;
}
