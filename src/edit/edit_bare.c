/*
 * edit_bare.c - the text of a file without the bodies of functions that nobody edits.
 *
 *	int f(int n)			int f(int n)
 *	{				;
 *	#ifdef SMALL			#ifdef SMALL
 *		return n;	->
 *	#else				#else
 *		return big(n);
 *	#endif				#endif
 *	}
 *
 * The result is as long as the text, and all that is left stays at its offset.  Lines of the preprocessor
 * stay, since a macro that a body defines may be used behind the body.
 *
 * Functions are recognised by their braces alone, before anything is compiled: a "{" behind a ")" at file
 * level, outside of structs and values.  Of several parts of an #if the first counts, except for `#if 0` and
 * text for C++ only.  This is a guess.  Where it is wrong, the result does not compile, or lacks an edited
 * function, or has one that is not the one that was analysed (edit_lean.c); then the whole text is taken.
 */
#include "edit/priv.h"

#include "front/tokens.h"

enum { NOWHERE = UINT32_MAX };

struct if_open {
	unsigned depth, after;		/* of braces: before it; behind its part that counts */
	bool counted;			/* there was that part */
	bool counts;			/* this is it */
	bool never;			/* this is no C */
};

struct bare {
	struct lexer x;
	const char *text;
	uint32_t n;
	char *out;
	const char *const *names;	/* of functions that stay */
	uint32_t nnames;
	unsigned depth;			/* of braces */
	unsigned parens;		/* of others, in the declaration that is being read */
	VEC(struct if_open) ifs;
	VEC(struct token) decl;		/* what was read of it, at file level */
	bool function;			/* it is one, and its body is being read */
	uint32_t body;			/* its "{", or NOWHERE: it stays as it is */
	uint32_t level;			/* the number of #if lines that it is under */
	VEC(uint32_t) kept;		/* lines of the preprocessor in it: begin, end */
	bool valued;			/* there is a "=" in the declaration */
	bool broken;			/* by a line of the preprocessor, behind the last token */
	bool bad;
	unsigned blanked;
};

/* ---- lines of the preprocessor ---- */

/* Is what stands under the line no C program? */
static bool is_never(const struct token *word, const char *s, const char *end)
{
	struct lexer x = { .p = s, .end = end, .directives = true };
	struct token t;

	if (token_is(word, "ifndef"))
		return false;
	t = token_next(&x);
	if (token_is(word, "if") && (token_is(&t, "0") || token_is_char(&t, '!')))
		return token_is(&t, "0") && token_next(&x).kind == TOKEN_END;
	for (; t.kind != TOKEN_END; t = token_next(&x))
		if (token_is(&t, "__cplusplus"))
			return true;
	return false;
}

static bool is_in_never(const struct bare *b)
{
	return b->ifs.n && vec_last(&b->ifs).never;
}

static void if_begins(struct bare *b, bool never)
{
	struct if_open o = { .depth = b->depth, .after = b->depth, .counted = !never,
			     .counts = !never, .never = never || is_in_never(b) };

	vec_push(&b->ifs, o);
}

/* A part of the innermost #if ends. */
static void part_ends(struct bare *b)
{
	struct if_open *o = &b->ifs.v[b->ifs.n - 1];

	if (o->counts)
		o->after = b->depth;
	b->depth = o->depth;
	if (b->level == b->ifs.n)	/* a body that began in it */
		b->body = NOWHERE;
}

static void part_begins(struct bare *b)
{
	struct if_open *o = &b->ifs.v[b->ifs.n - 1];

	o->counts = !o->counted;
	o->counted = true;
	o->never = b->ifs.n > 1 && b->ifs.v[b->ifs.n - 2].never;
}

static void if_ends(struct bare *b)
{
	part_ends(b);
	b->depth = vec_pop(&b->ifs).after;
}

/* Does a comment that begins in a line continue in the next one? */
static bool goes_on(const char *s, const char *end)
{
	struct lexer x = { .p = s, .end = end, .directives = true };
	const char *p = s;

	for (struct token t = token_next(&x); t.kind != TOKEN_END; t = token_next(&x))
		p = x.p;
	while (p < end && (p = memchr(p, '/', (size_t)(end - p))) && p + 1 < end && p[1] == '*') {
		if (!(p = memmem(p + 2, (size_t)(end - p - 2), "*/", 2)))
			return true;
		p += 2;
	}
	return false;
}

/* The end of a line of the preprocessor, with the lines in which its comments continue. */
static const char *line_end(const struct bare *b, const char *s, const char *end)
{
	const char *stop = b->text + b->n, *p;

	while (goes_on(s, end)) {
		if (!(p = memmem(end, (size_t)(stop - end), "*/", 2)))
			return stop;
		s = p + 2;
		p = memchr(s, '\n', (size_t)(stop - s));
		end = p ? p : stop;
	}
	return end;
}

static void read_line(void *ctx, const char *s, const char *end)
{
	static const char *const plain[] = { "define", "undef", "error", "warning", "line" };
	struct bare *b = ctx;
	struct lexer x = { .p = s + 1, .end = end, .directives = true };
	struct token t = token_next(&x);

	b->broken = true;
	b->x.p = end = line_end(b, s, end);
	b->bad |= end[-1] == '\r' && end[-2] == '\\';	/* joined lines that the lexer does not see */
	vec_push(&b->kept, (uint32_t)(s - b->text));
	vec_push(&b->kept, (uint32_t)(end - b->text));
	if (token_is(&t, "if") || token_is(&t, "ifdef") || token_is(&t, "ifndef")) {
		if_begins(b, is_never(&t, x.p, end));
	} else if (token_is(&t, "else") ||
		   (t.n > 3 && memcmp(t.s, "elif", 4) == 0) || token_is(&t, "endif")) {
		b->bad |= !b->ifs.n;
		if (b->bad)
			return;
		if (token_is(&t, "endif")) {
			if_ends(b);
		} else {
			part_ends(b);
			part_begins(b);
		}
	} else if (t.n && !token_is_any(&t, plain, ARRAY_LEN(plain))) {
		b->body = NOWHERE;	/* #include, #pragma: not where it was */
	}
}

/* ---- bodies ---- */

static void blank(struct bare *b, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (b->out[i] != '\n' && b->out[i] != '\r')
			b->out[i] = ' ';
}

static void blank_body(struct bare *b, uint32_t end)
{
	uint32_t at = b->body;

	for (uint32_t i = 0; i < b->kept.n; i += 2) {
		blank(b, at, b->kept.v[i]);
		at = b->kept.v[i + 1];
	}
	blank(b, at, end);
	b->out[b->body] = ';';
	b->blanked++;
}

/* Is it one of the functions that stay? */
static bool is_asked(const struct bare *b)
{
	for (uint32_t i = 0; i < b->decl.n; i++)
		if (b->decl.v[i].kind == TOKEN_IDENT)
			for (uint32_t k = 0; k < b->nnames; k++)
				if (token_is(&b->decl.v[i], b->names[k]))
					return true;
	return false;
}

static bool opens_body(const struct bare *b)
{
	if (!b->decl.n || b->broken || b->valued || b->parens)
		return false;
	return token_is_char(&vec_last(&b->decl), ')') && !token_is(&b->decl.v[0], "typedef") &&
	       !tokens_open_aggregate(b->decl.v, b->decl.n);
}

static void decl_ends(struct bare *b)
{
	vec_clear(&b->decl);
	b->parens = 0;
	b->valued = false;
}

static void opens(struct bare *b, uint32_t at)
{
	if (!b->depth++) {
		b->function = opens_body(b);
		b->body = b->function && !is_asked(b) ? at : NOWHERE;
		b->level = b->ifs.n;
		vec_clear(&b->kept);
	}
}

static void closes(struct bare *b, uint32_t end)
{
	b->bad |= !b->depth;
	if (b->bad || --b->depth)
		return;
	if (b->body != NOWHERE && b->ifs.n == b->level)
		blank_body(b, end);
	b->body = NOWHERE;
	if (b->function || !b->decl.n)
		decl_ends(b);
}

static void read_token(struct bare *b, const struct token *t)
{
	uint32_t at = (uint32_t)(t->s - b->text);

	if (is_in_never(b)) {
		return;
	} else if (token_is_char(t, '{')) {
		opens(b, at);
	} else if (token_is_char(t, '}')) {
		closes(b, at + 1);
	} else if (!b->depth && token_is_char(t, ';') && !b->parens) {
		decl_ends(b);
	} else if (!b->depth) {
		b->parens += token_opens(t);
		b->parens -= b->parens && token_closes(t);
		b->valued |= !b->parens && token_is_char(t, '=');
		vec_push(&b->decl, *t);
	}
	b->broken = false;
}

char *bare_text(const char *text, uint32_t n, const char *const *names, uint32_t nnames)
{
	struct bare b = { .text = text, .n = n, .names = names, .nnames = nnames, .body = NOWHERE };
	struct token t;

	b.x = (struct lexer){ .p = text, .end = text + n, .at_line_start = true,
			      .directive = read_line, .ctx = &b };
	b.out = memcpy(xmalloc((size_t)n + 1), text, n);
	b.out[n] = '\0';
	while (!b.bad && (t = token_next(&b.x)).kind != TOKEN_END)
		read_token(&b, &t);
	vec_release(&b.ifs);
	vec_release(&b.decl);
	vec_release(&b.kept);
	if (!b.bad && !b.depth && b.blanked)
		return b.out;
	free(b.out);
	return NULL;
}
