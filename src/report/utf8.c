/*
 * utf8.c - text of unknown origin, one character at a time.  Any bytes may come: what is no
 * character is shown as U+FFFD.
 */
#include "report/utf8.h"

#include "base/mem.h"

#include <assert.h>

/* How many bytes a character has that begins with this one; 0: none does. */
static size_t length(unsigned char c)
{
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c <= 0xdf)
		return 2;
	if (c >= 0xe0 && c <= 0xef)
		return 3;
	return c >= 0xf0 && c <= 0xf4 ? 4 : 0;
}

size_t utf8_next(const char *p, size_t n, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c;
	uint32_t x;
	size_t k;

	assert(n > 0);
	c = (unsigned char)*p;
	k = length(c);
	*cp = UTF8_BAD;
	if (k == 0 || k > n)
		return 1;
	x = k == 1 ? c : c & (0x7fu >> k);
	for (size_t i = 1; i < k; i++) {
		if (((unsigned char)p[i] & 0xc0) != 0x80)
			return 1;
		x = x << 6 | ((unsigned char)p[i] & 0x3f);
	}
	if (x < least[k] || x > 0x10ffff || (x >= 0xd800 && x <= 0xdfff))
		return 1;
	*cp = x;
	return k;
}

void utf8_put(struct sbuf *b, uint32_t cp)
{
	assert(cp <= 0x10ffff);
	if (cp < 0x80) {
		sbuf_addc(b, (char)cp);
		return;
	}
	if (cp < 0x800) {
		sbuf_addc(b, (char)(0xc0 | cp >> 6));
	} else {
		if (cp < 0x10000) {
			sbuf_addc(b, (char)(0xe0 | cp >> 12));
		} else {
			sbuf_addc(b, (char)(0xf0 | cp >> 18));
			sbuf_addc(b, (char)(0x80 | (cp >> 12 & 0x3f)));
		}
		sbuf_addc(b, (char)(0x80 | (cp >> 6 & 0x3f)));
	}
	sbuf_addc(b, (char)(0x80 | (cp & 0x3f)));
}

struct range {
	uint32_t first, last;
};

static bool in_ranges(uint32_t cp, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cp >= r[i].first && cp <= r[i].last)
			return true;
	return false;
}

bool utf8_is_plain(uint32_t cp)
{
	static const struct range not[] = {
		{ 0, 0x1f }, { 0x7f, 0x9f },			/* control characters */
		{ 0x200e, 0x200f }, { 0x202a, 0x202e }, { 0x2066, 0x2069 },	/* direction */
		{ 0x2028, 0x2029 }, { 0xfff9, 0xfffb },
		{ 0xe0000, 0xe007f },				/* tags: invisible */
	};

	return !in_ranges(cp, not, ARRAY_LEN(not));
}

unsigned utf8_width(uint32_t cp)
{
	static const struct range none[] = {
		{ 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x0610, 0x061a },
		{ 0x064b, 0x065f }, { 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a }, { 0x0e47, 0x0e4e },
		{ 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x200b, 0x200d }, { 0x20d0, 0x20ff },
		{ 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0xfeff, 0xfeff }, { 0xe0100, 0xe01ef },
	};
	static const struct range wide[] = {
		{ 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf }, { 0xa960, 0xa97f },
		{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f }, { 0xff00, 0xff60 },
		{ 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff },
		{ 0x1f900, 0x1f9ff }, { 0x1fa70, 0x1faff }, { 0x20000, 0x3fffd },
	};

	if (cp < 0x300)
		return 1;
	if (in_ranges(cp, none, ARRAY_LEN(none)))
		return 0;
	return in_ranges(cp, wide, ARRAY_LEN(wide)) ? 2 : 1;
}

void utf8_clean(struct sbuf *b, const char *s, size_t n)
{
	uint32_t cp;

	for (size_t i = 0; i < n;) {
		i += utf8_next(s + i, n - i, &cp);
		utf8_put(b, utf8_is_plain(cp) ? cp : UTF8_BAD);
	}
}

size_t utf8_columns(const char *s, size_t n)
{
	size_t columns = 0;
	uint32_t cp;

	for (size_t i = 0; i < n;) {
		i += utf8_next(s + i, n - i, &cp);
		columns += utf8_is_plain(cp) ? utf8_width(cp) : 1;
	}
	return columns;
}
