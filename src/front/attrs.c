/*
 * attrs.c - ownership attributes, read from the text of the source.
 *
 * clang knows ownership_returns(), ownership_takes() and ownership_holds(), but
 * only its own analyser sees them: they are not in the bitcode.  gcc (11 and
 * later) knows malloc(deallocator, argument); clang refuses it.  Both tell what
 * a model tells, so we read them from the preprocessed text and write models.
 *
 * This is no C parser.  It cuts the text into top-level declarations, skips
 * function bodies, and in a declaration that mentions one of the attributes
 * takes for the function's name the first identifier that is followed by "(" and
 * is no keyword.  It errs where a declarator is more complicated than that: then a
 * model is missing, or names a function that does not exist; both do no harm.
 *
 * What a source hides from clang (#if __GNUC__ >= 11) is not seen, since clang has
 * preprocessed the text.
 *
 * The class of an ownership attribute ("malloc" or a name of the user's) is
 * ignored: everything is memory.
 */
#include "front/attrs.h"

#include "front/tokens.h"

#include "base/hash.h"
#include "base/sbuf.h"

#include <assert.h>
#include <ctype.h>

static bool is_malloc(const struct token *t)
{
	return t->kind == TOKEN_IDENT && (token_is(t, "malloc") || token_is(t, "__malloc__"));
}

/* ownership_returns or __ownership_returns__ */
static bool is_ownership(const struct token *t, const char *which)
{
	const char *s = t->s;
	size_t n = t->n;

	if (t->kind != TOKEN_IDENT)
		return false;
	if (n > 4 && memcmp(s, "__", 2) == 0 && memcmp(s + n - 2, "__", 2) == 0) {
		s += 2;
		n -= 4;
	}
	return n == 10 + strlen(which) && memcmp(s, "ownership_", 10) == 0 &&
	       memcmp(s + 10, which, n - 10) == 0;
}

/* ---- effects of functions ---- */

enum { MAX_ARG = 63 };

struct effect {
	bool returns_new;
	uint64_t takes, holds;		/* bit n: argument n */
	struct args freed_by;
};

#define MAP_NAME effects
#define MAP_KEY const char *
#define MAP_VAL struct effect
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

#define MAP_NAME names
#define MAP_KEY const char *
#define MAP_VAL char
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

struct reader {
	struct lexer x;
	VEC(struct token) decl;		/* the declaration being read */
	bool mentions;			/* it has an identifier that may be one of our attributes */
	struct args owned;		/* owns the keys of the maps */
	struct effects effects;
	struct names system;		/* functions declared in system headers */
	bool in_system;			/* by the last line marker */
};

/* The token's text, as long as the reader lives. */
static const char *copy_name(struct reader *r, const struct token *t)
{
	args_push_n(&r->owned, t->s, t->n);
	return vec_last(&r->owned);
}

static struct effect *effect_of(struct reader *r, const struct token *name)
{
	return effects_put(&r->effects, copy_name(r, name), NULL);
}

/* A small decimal number, or 0. */
static unsigned token_number(const struct token *t)
{
	unsigned x = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!isdigit((unsigned char)t->s[i]) || x > MAX_ARG)
			return 0;
		x = x * 10 + (unsigned)(t->s[i] - '0');
	}
	return x <= MAX_ARG ? x : 0;
}

/* Bits of the numbers among tokens from..to. */
static uint64_t number_bits(const struct reader *r, uint32_t from, uint32_t to)
{
	uint64_t bits = 0;

	assert(to <= r->decl.n);
	for (uint32_t i = from; i < to; i++) {
		unsigned x = token_number(&r->decl.v[i]);

		if (x)
			bits |= 1ull << x;
	}
	return bits;
}

/* malloc(deallocator, argument) of function name; tokens from..to are between
 * its parentheses. */
static void apply_malloc(struct reader *r, const struct token *name, uint32_t from, uint32_t to)
{
	const struct token *f = &r->decl.v[from];
	struct effect *e;
	uint64_t bits;

	if (from >= to || f->kind != TOKEN_IDENT)
		return;
	e = effect_of(r, name);
	e->returns_new = true;
	args_push_n(&e->freed_by, f->s, f->n);
	bits = number_bits(r, from + 1, to);
	effect_of(r, f)->takes |= bits ? bits : 2;
}

/* One list of attributes, tokens from..to, of function name. */
static void apply_list(struct reader *r, const struct token *name, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		const struct token *t = &r->decl.v[i];
		uint32_t open = i + 1, close;

		if (t->kind != TOKEN_IDENT || open >= to || !token_is_char(&r->decl.v[open], '('))
			continue;
		close = MIN(tokens_match(r->decl.v, r->decl.n, open), to);
		if (is_malloc(t))
			apply_malloc(r, name, open + 1, close);
		else if (is_ownership(t, "returns"))
			effect_of(r, name)->returns_new = true;
		else if (is_ownership(t, "takes"))
			effect_of(r, name)->takes |= number_bits(r, open + 1, close);
		else if (is_ownership(t, "holds"))
			effect_of(r, name)->holds |= number_bits(r, open + 1, close);
		i = close;
	}
}

/* ---- declarations ---- */

static bool is_keyword(const struct token *t)
{
	static const char *const words[] = {
		"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool",
		"bool", "const", "volatile", "restrict", "struct", "union", "enum", "typeof", "__typeof__",
		"__typeof", "asm", "__asm__", "__asm", "_Alignas", "alignas", "_Atomic", "_BitInt",
		"__declspec", "__extension__", "sizeof", "_Static_assert", "static_assert",
	};

	return token_is_any(t, words, ARRAY_LEN(words));
}

static const struct token *at(const struct reader *r, uint32_t i)
{
	static const struct token none = { TOKEN_END, "", 0 };

	return i < r->decl.n ? &r->decl.v[i] : &none;
}

/* Is token i the name of a function being declared? */
static bool is_function_name(const struct reader *r, uint32_t i)
{
	const struct token *t = at(r, i);

	if (t->kind != TOKEN_IDENT || is_keyword(t) || token_is_attribute(t))
		return false;
	if (token_is_char(at(r, i + 1), '('))
		return !token_is_char(at(r, i + 2), '*');	/* T (*f(...))(...) */
	return i > 0 && token_is_char(at(r, i - 1), '(') && token_is_char(at(r, i + 1), ')') &&
	       token_is_char(at(r, i + 2), '(');		/* void *(f)(...) */
}

/* The function that the declarator which starts at `from` declares, or r->decl.n.
 * A comma outside of parentheses ends it. */
static uint32_t find_name(const struct reader *r, uint32_t from)
{
	unsigned depth = 0;

	for (uint32_t i = from; i < r->decl.n; i++) {
		uint32_t end = tokens_attribute_end(r->decl.v, r->decl.n, i);

		if (end > i) {
			i = end;
			continue;
		}
		if (is_function_name(r, i))
			return i;
		if (token_opens(at(r, i)))
			depth++;
		else if (token_closes(at(r, i)) && depth)
			depth--;
		else if (token_is_char(at(r, i), ',') && !depth)
			break;
	}
	return r->decl.n;
}

static void note_system(struct reader *r, uint32_t name)
{
	if (name < r->decl.n)
		names_put(&r->system, copy_name(r, at(r, name)), NULL);
}

/* Applies the attributes of one declaration.  Those before the first name
 * belong to every declarator, the others to the declarator they stand in. */
static void read_declaration(struct reader *r)
{
	uint32_t first = find_name(r, 0), name = first;
	unsigned depth = 0;

	if (r->in_system) {
		note_system(r, first);
		return;
	}
	if (!r->mentions || token_is(at(r, 0), "typedef"))
		return;
	for (uint32_t i = 0; i < r->decl.n; i++) {
		uint32_t end = tokens_attribute_end(r->decl.v, r->decl.n, i);

		if (end > i) {
			if (!depth && name < r->decl.n)
				apply_list(r, at(r, name), i + 1, end);
			i = end;
		} else if (token_opens(at(r, i))) {
			depth++;
		} else if (token_closes(at(r, i)) && depth) {
			depth--;
		} else if (token_is_char(at(r, i), ',') && !depth) {
			name = find_name(r, i + 1);
		}
	}
}

/* After "=": to the ";" that ends the declaration. */
static void skip_initialiser(struct reader *r)
{
	for (;;) {
		struct token t = token_next(&r->x);

		if (t.kind == TOKEN_END || token_is_char(&t, ';'))
			return;
		if (token_opens(&t))
			token_skip_group(&r->x);
	}
}

/* Reads up to the end of a top-level declaration or function.  False at the end
 * of the text. */
static bool next_declaration(struct reader *r)
{
	unsigned depth = 0;

	vec_clear(&r->decl);
	r->mentions = false;
	for (;;) {
		struct token t = token_next(&r->x);

		if (t.kind == TOKEN_END)
			return false;
		if (t.kind == TOKEN_IDENT && (is_malloc(&t) || memmem(t.s, t.n, "ownership_", 10)))
			r->mentions = true;
		if (!depth && token_is_char(&t, ';'))
			return true;
		if (token_is_char(&t, '{')) {
			bool inside = depth || tokens_open_aggregate(r->decl.v, r->decl.n);

			token_skip_group(&r->x);
			if (!inside)
				return true;
			continue;
		}
		if (!depth && token_is_char(&t, '=')) {
			skip_initialiser(r);
			vec_clear(&r->decl);
			return true;
		}
		if (token_opens(&t))
			depth++;
		else if (token_closes(&t) && depth)
			depth--;
		vec_push(&r->decl, t);
	}
}

/* ---- models ---- */

static void add_freers(struct sbuf *b, const struct effect *e)
{
	unsigned n = 0;

	if (args_has(&e->freed_by, "free"))	/* what memory is freed by anyway */
		return;
	for (uint32_t i = 0; i < e->freed_by.n; i++)
		if (!str_eq(e->freed_by.v[i], "realloc"))
			sbuf_printf(b, "%s %s", n++ ? "," : " freed by", e->freed_by.v[i]);
}

static void write_model(struct args *out, const char *name, const struct effect *e)
{
	struct sbuf b = {0};

	assert(!((e->takes | e->holds) & 1));	/* arguments are counted from 1 */
	assert(e->returns_new || !e->freed_by.n);
	sbuf_printf(&b, "%s {", name);
	if (e->returns_new) {
		sbuf_adds(&b, " return new memory");
		add_freers(&b, e);
		sbuf_adds(&b, ";");
	}
	for (unsigned i = 1; i <= MAX_ARG; i++) {
		if (e->takes >> i & 1)
			sbuf_printf(&b, " free arg%u;", i);
		else if (e->holds >> i & 1)
			sbuf_printf(&b, " keep arg%u;", i);
	}
	sbuf_adds(&b, " }");
	args_push_own(out, sbuf_detach(&b));
}

/* Can the model language write this name? */
static bool is_plain_name(const char *s)
{
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_')
			return false;
	return true;
}

/* Does the function have a model anyway? */
static bool has_model(const struct reader *r, const char *name)
{
	return names_get(&r->system, name) || str_eq(name, "free") || str_eq(name, "realloc");
}

static void write_models(struct args *out, struct reader *r)
{
	struct effect *e;
	const char *name;

	for (uint32_t it = 0; effects_next(&r->effects, &it, &name, &e);) {
		bool has_effect = e->returns_new || e->takes || e->holds;

		if (has_effect && is_plain_name(name) && !has_model(r, name))
			write_model(out, name, e);
	}
}

static void note_marker(void *ctx, const char *s, const char *end)
{
	struct reader *r = ctx;
	const char *marker = token_marker(s, end);

	if (marker)
		r->in_system = marker_has(marker, end, '3');
}

void attrs_models(struct args *out, const char *text, size_t n)
{
	struct reader r = { .x = { .p = text, .end = text + n, .at_line_start = true,
				   .directive = note_marker } };
	struct effect *e;

	r.x.ctx = &r;
	while (next_declaration(&r))
		read_declaration(&r);
	write_models(out, &r);
	for (uint32_t it = 0; effects_next(&r.effects, &it, NULL, &e);)
		args_release(&e->freed_by);
	effects_release(&r.effects);
	names_release(&r.system);
	args_release(&r.owned);
	vec_release(&r.decl);
}

bool attrs_mentioned(const char *text, size_t n)
{
	return memmem(text, n, "ownership_", 10) != NULL;
}

/* ---- blanking ---- */

/* Overwrites s..end, but for line ends and what joins lines.  The last byte is no
 * backslash: one byte is looked at behind each. */
static void blank(char *s, const char *end)
{
	assert(s < end && end[-1] != '\\');
	for (; s < end; s++)
		if (*s != '\n' && *s != '\r' && !(*s == '\\' && (s[1] == '\n' || s[1] == '\r')))
			*s = ' ';
}

/* The lexer stands behind "malloc": overwrites "(...)" if that follows. */
static bool blank_arguments(struct lexer *x)
{
	struct lexer ahead = *x;
	struct token open = token_next(&ahead), t;
	unsigned depth = 1;

	if (!token_is_char(&open, '('))
		return false;
	while (depth) {
		t = token_next(&ahead);
		if (t.kind == TOKEN_END)
			return false;
		if (token_is_char(&t, '('))
			depth++;
		else if (token_is_char(&t, ')'))
			depth--;
	}
	blank((char *)open.s, ahead.p);
	*x = ahead;
	return true;
}

unsigned attrs_blank(char *text, size_t n)
{
	struct lexer x = { .p = text, .end = text + n, .directives = true, .at_line_start = true };
	const struct token none = { TOKEN_END, "", 0 };
	struct token t, last[3] = { none, none, none };	/* newest first */
	unsigned count = 0, depth = 0;		/* depth: open parentheses of an attribute */

	while ((t = token_next(&x)).kind != TOKEN_END) {
		bool gnu = token_is_char(&last[0], ':') && token_is_char(&last[1], ':') &&
			   (token_is(&last[2], "gnu") || token_is(&last[2], "__gnu__"));

		if (token_is_char(&t, '('))
			depth = depth || token_is_attribute(&last[0]) ? depth + 1 : 0;
		else if (token_is_char(&t, ')') && depth)
			depth--;
		else if (is_malloc(&t) && (depth == 2 || gnu))
			count += blank_arguments(&x);
		last[2] = last[1];
		last[1] = last[0];
		last[0] = t;
	}
	return count;
}
