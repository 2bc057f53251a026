/*
 * lex.c - C text as code, literals, white space and comments.  priv.h says what is not understood.
 */
#include "finding/priv.h"

#include <assert.h>

/* The end of a comment that begins with two slashes: its line's end, unless a
 * backslash continues it. */
static const char *line_comment(const char *p, const char *end)
{
	for (;;) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *e;

		if (!nl)
			return end;
		e = nl > p && nl[-1] == '\r' ? nl - 1 : nl;
		if (e == p || e[-1] != '\\')
			return e;
		p = nl + 1;
	}
}

static const char *block_comment(const char *p, const char *end)
{
	const char *e;

	assert(end - p >= 2);
	e = memmem(p + 2, (size_t)(end - p) - 2, "*/", 2);
	return e ? e + 2 : end;
}

static const char *literal(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote && *p != '\n') {
		if (*p == '\\' && p + 1 < end)
			p++;
		p++;
	}
	return p < end && *p == quote ? p + 1 : p;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool starts_comment(const char *p, const char *end)
{
	return end - p >= 2 && p[0] == '/' && (p[1] == '/' || p[1] == '*');
}

static bool ends_code(const char *p, const char *end)
{
	return *p == '\n' || *p == '"' || *p == '\'' || is_space(*p) || starts_comment(p, end);
}

enum lex_part finding__lex(const char *p, const char *end, const char **next)
{
	assert(p <= end);
	if (p == end) {
		*next = p;
		return LEX_END;
	}
	if (*p == '\n') {
		*next = p + 1;
		return LEX_NEWLINE;
	}
	if (starts_comment(p, end)) {
		*next = p[1] == '/' ? line_comment(p + 2, end) : block_comment(p, end);
		return LEX_COMMENT;
	}
	if (*p == '"' || *p == '\'') {
		*next = literal(p, end);
		return LEX_LITERAL;
	}
	if (is_space(*p)) {
		while (p < end && is_space(*p))
			p++;
		*next = p;
		return LEX_SPACE;
	}
	while (p < end && !ends_code(p, end))
		p++;
	*next = p;
	return LEX_CODE;
}
