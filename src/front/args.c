/*
 * args.c - lists of words, shell quoting, response files.
 *
 * Two ways of quoting meet here, and they differ.  The `command` of a
 * compilation database is a shell command: inside "..." a backslash is itself
 * unless it stands before one of $ ` " \ or a line end.  A response file (@FILE)
 * is read by gcc's libiberty: a backslash takes the next character as it is,
 * inside and outside of quotes.
 *
 * A response file may name itself, directly or in a circle: depth and total
 * size are limited, and beyond the limit @FILE remains as it is, like the name of
 * a file that cannot be read.
 */
#include "front/args.h"

#include "base/file.h"
#include "base/sbuf.h"

#include <assert.h>
#include <sys/stat.h>

enum {
	RESPONSE_DEPTH = 16,
	RESPONSE_MAX = 4 << 20,		/* bytes of one file */
	RESPONSE_WORDS = 1 << 20,	/* of the whole command */
};

/* The words are there, and NULL follows them. */
static void args_check(const struct args *a)
{
	assert(a->n <= a->cap && !a->v == !a->cap);
	assert(!a->v || !a->v[a->n]);
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < a->n; i++)
		assert(a->v[i]);
#endif
}

static void terminate(struct args *a)
{
	vec_reserve(a, a->n + 1);
	a->v[a->n] = NULL;
}

void args_push_own(struct args *a, char *s)
{
	assert(s);
	vec_push(a, s);
	terminate(a);
}

void args_push(struct args *a, const char *s)
{
	args_push_own(a, xstrdup(s));
}

void args_push_n(struct args *a, const char *s, size_t n)
{
	args_push_own(a, xstrndup(s, n));
}

void args_add(struct args *a, const struct args *more)
{
	assert(a != more);
	args_check(more);
	for (uint32_t i = 0; i < more->n; i++)
		args_push(a, more->v[i]);
}

void args_remove(struct args *a, uint32_t i)
{
	assert(i < a->n);
	free(a->v[i]);
	memmove(a->v + i, a->v + i + 1, (a->n - i) * sizeof(*a->v));
	a->n--;
	assert(!a->v[a->n]);
}

void args_clear(struct args *a)
{
	args_check(a);
	for (uint32_t i = 0; i < a->n; i++)
		free(a->v[i]);
	a->n = 0;
	if (a->v)
		a->v[0] = NULL;
}

void args_release(struct args *a)
{
	args_clear(a);
	vec_release(a);
}

bool args_has(const struct args *a, const char *s)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (str_eq(a->v[i], s))
			return true;
	return false;
}

bool args_equal(const struct args *a, const struct args *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!str_eq(a->v[i], b->v[i]))
			return false;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');	/* \t \n \v \f \r */
}

/* Reads one word at *p, which is no blank, into w (cleared first). */
static void split_word(struct sbuf *w, const char **p, bool shell)
{
	const char *s = *p;
	char quote = 0;

	assert(*s && !is_blank(*s));
	sbuf_clear(w);
	for (; *s; s++) {
		if (!quote && is_blank(*s))
			break;
		if (*s == '\\' && !(shell && quote == '\'')) {
			if (!s[1])
				break;
			if (shell && quote == '"' && !strchr("$`\"\\\n", s[1]))
				sbuf_addc(w, '\\');
			s++;
			if (!(shell && *s == '\n'))	/* a joined line */
				sbuf_addc(w, *s);
		} else if (quote && *s == quote) {
			quote = 0;
		} else if (!quote && (*s == '"' || *s == '\'')) {
			quote = *s;
		} else {
			sbuf_addc(w, *s);
		}
	}
	if (*s == '\\')		/* a backslash at the very end */
		s++;
	*p = s;
}

static void split(struct args *out, const char *text, bool shell)
{
	struct sbuf w = {0};

	for (;;) {
		while (is_blank(*text))
			text++;
		if (!*text)
			break;
		split_word(&w, &text, shell);
		args_push(out, sbuf_str(&w));
	}
	sbuf_release(&w);
}

void args_split_shell(struct args *out, const char *text)
{
	split(out, text, true);
}

/* The words of a response file.  False if it cannot be read. */
static bool read_response(struct args *out, const char *name, const char *dir)
{
	char *path = path_join(dir ? dir : ".", name), *text = NULL;
	struct stat st;
	bool ok;

	/* Not a pipe: the real compiler could not read it any more. */
	ok = stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= RESPONSE_MAX &&
	     file_read(&text, NULL, path) == 0;
	if (ok)
		split(out, text, false);
	free(text);
	free(path);
	return ok;
}

static void expand(struct args *out, char *const *in, uint32_t n, const char *dir, unsigned depth)
{
	assert(depth <= RESPONSE_DEPTH);
	assert(n == 0 || in != out->v);		/* the list that grows is another one */
	for (uint32_t i = 0; i < n; i++) {
		struct args words = {0};

		bool may_expand = depth < RESPONSE_DEPTH && out->n < RESPONSE_WORDS;

		if (may_expand && in[i][0] == '@' && in[i][1] && read_response(&words, in[i] + 1, dir))
			expand(out, words.v, words.n, dir, depth + 1);
		else
			args_push(out, in[i]);
		args_release(&words);
	}
}

void args_expand(struct args *out, char *const *in, uint32_t n, const char *dir)
{
	expand(out, in, n, dir, 0);
}
