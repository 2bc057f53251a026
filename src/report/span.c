/*
 * span.c - the part of a source line that begins at a position.
 *
 * Debug information has the place where an expression begins, not where it ends.
 * The end is guessed from the text of one line: an argument list that continues in
 * the next line ends with this one, and macros are not expanded.  A wrong guess
 * makes an underline too long or too short, no more.
 */
#include "report/span.h"

#include "base/mem.h"
#include "report/utf8.h"

#include <assert.h>
#include <ctype.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static size_t skip_word(const char *s, size_t n, size_t i)
{
	while (i < n && is_word(s[i]))
		i++;
	return i;
}

static size_t skip_space(const char *s, size_t n, size_t i)
{
	while (i < n && isspace((unsigned char)s[i]))
		i++;
	return i;
}

static size_t trimmed(const char *s, size_t n)
{
	while (n > 0 && isspace((unsigned char)s[n - 1]))
		n--;
	return n;
}

/* s[i] is a quote: behind the one that closes it. */
static size_t skip_literal(const char *s, size_t n, size_t i)
{
	char quote = s[i++];

	assert(i <= n && (quote == '"' || quote == '\''));
	while (i < n && s[i] != quote)
		i += s[i] == '\\' && i + 1 < n ? 2 : 1;
	return i < n ? i + 1 : trimmed(s, n);
}

/* s[i] is ( or [: behind the one that closes it. */
static size_t skip_brackets(const char *s, size_t n, size_t i)
{
	unsigned depth = 0;

	assert(i < n && (s[i] == '(' || s[i] == '['));
	while (i < n) {
		char c = s[i];

		if (c == '"' || c == '\'') {
			i = skip_literal(s, n, i);
			continue;
		}
		i++;
		if (c == '(' || c == '[')
			depth++;
		else if ((c == ')' || c == ']') && --depth == 0)
			return i;
	}
	return trimmed(s, n);
}

/* Words that are a span without the parenthesis behind them. */
static bool is_keyword(const char *s, size_t n)
{
	static const char *const words[] = {
		"break", "case", "continue", "default", "do", "else", "for", "goto", "if",
		"return", "switch", "while",
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
			return true;
	return false;
}

/* name, name.x, name->x, name[i], each with a call's arguments. */
static size_t skip_name(const char *s, size_t n, size_t i)
{
	size_t end = skip_word(s, n, i), next;

	if (is_keyword(s + i, end - i))
		return end;
	for (;;) {
		next = skip_space(s, n, end);
		if (next >= n)
			return end;
		if (s[next] == '(')
			return skip_brackets(s, n, next);
		if (s[next] == '[')
			end = skip_brackets(s, n, next);
		else if (s[next] == '.' && next + 1 < n && is_word(s[next + 1]))
			end = skip_word(s, n, next + 1);
		else if (next + 2 < n && s[next] == '-' && s[next + 1] == '>' && is_word(s[next + 2]))
			end = skip_word(s, n, next + 2);
		else
			return end;
	}
}

static size_t span_end(const char *s, size_t n, size_t i)
{
	uint32_t cp;
	size_t k = i;

	assert(i < n);
	while (k < n && (s[k] == '*' || s[k] == '&' || s[k] == '!'))
		k++;
	if (k < n && is_word(s[k]))
		return skip_name(s, n, k);
	if (s[i] == '(')
		return skip_brackets(s, n, i);
	if (s[i] == '"' || s[i] == '\'')
		return skip_literal(s, n, i);
	return i + utf8_next(s + i, n - i, &cp);
}

struct span span_at(const char *line, size_t n, unsigned column)
{
	struct span r;

	if (column == 0 || column > trimmed(line, n)) {
		r.end = trimmed(line, n);
		r.start = MIN(skip_space(line, n, 0), r.end);
		return r;
	}
	r.start = column - 1;
	r.end = span_end(line, n, r.start);
	assert(r.start < r.end && r.end <= n);
	return r;
}
