/*
 * spell.c - the constants of a condition as the source has them: `c == 'x'` and `flags & VERBOSE`, of which
 * the IR knows 120 and 4.
 *
 * clang gives a comparison the position of its operator, where the operator is looked for in the source.
 * The text behind it, up to an operator that binds less (or a bracket), is the constant: names, numbers and
 * characters, in parentheses or not.  Numbers and characters must have the value that the IR has.  The
 * value of a name is not known; a name that the other operand has, too, is not the constant, which then
 * stands before the operator.
 *
 * Macros whose text has the operator, sources that were edited since, and all else that does not fit: the
 * number stays.  So this errs towards numbers, except for a name that has another value than the IR.
 */
#include "finding/priv.h"

#include "ir/io.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

enum { MAX_LOOK = 1 << 16 };	/* bytes from a switch to one of its cases */

enum tok_kind { TOK_END, TOK_NAME, TOK_NUMBER, TOK_CHAR, TOK_OTHER };

struct tok {
	enum tok_kind kind;
	const char *p;
	size_t n;
};

/* ---- tokens ---------------------------------------------------------- */

static bool starts_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blank(const char *p, const char *end)
{
	const char *next;

	assert(p <= end);
	for (;;) {
		if (end - p >= 2 && p[0] == '\\' && p[1] == '\n') {
			p += 2;
			continue;
		}
		switch (p < end ? finding__lex(p, end, &next) : LEX_END) {
		case LEX_SPACE: case LEX_NEWLINE: case LEX_COMMENT:
			p = next;
			break;
		default:
			return p;
		}
	}
}

/* The length of the operator at p, which has one character or two. */
static size_t sign_length(const char *p, const char *end)
{
	static const char *const two[] = {
		"->", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--"
	};

	for (size_t i = 0; i < ARRAY_LEN(two); i++)
		if (end - p >= 2 && memcmp(p, two[i], 2) == 0)
			return 2;
	return 1;
}

/* The next token, and moves *at behind it. */
static struct tok take(const char **at, const char *end)
{
	const char *p = skip_blank(*at, end), *q = p;
	enum tok_kind kind = TOK_OTHER;

	if (p == end) {
		kind = TOK_END;
	} else if (starts_name(*p)) {
		kind = TOK_NAME;
		while (q < end && in_name(*q))
			q++;
	} else if (isdigit((unsigned char)*p)) {
		kind = TOK_NUMBER;
		while (q < end && (in_name(*q) || *q == '.'))
			q++;
	} else if (*p == '\'' || *p == '"') {
		kind = *p == '\'' ? TOK_CHAR : TOK_OTHER;
		finding__lex(p, end, &q);
	} else {
		q += sign_length(p, end);
	}
	assert(q <= end && (q > p || kind == TOK_END));
	*at = q;
	return (struct tok){ kind, p, (size_t)(q - p) };
}

static struct tok peek(const char *at, const char *end)
{
	return take(&at, end);
}

static bool is(const struct tok *t, const char *s)
{
	return t->n == strlen(s) && memcmp(t->p, s, t->n) == 0;
}

static bool is_one_of(const struct tok *t, const char *const *v)
{
	for (; *v; v++)
		if (is(t, *v))
			return true;
	return false;
}

/* ---- values ---------------------------------------------------------- */

static bool number_of(const struct tok *t, int64_t *value)
{
	char text[40], *end;

	if (t->n >= sizeof(text))
		return false;
	memcpy(text, t->p, t->n);
	text[t->n] = '\0';
	*value = (int64_t)strtoull(text, &end, 0);
	return strspn(end, "uUlL") == strlen(end);
}

static bool character_of(const struct tok *t, int64_t *value)
{
	static const char names[] = "a\ab\bt\tn\nv\vf\fr\r\\\\''\"\"??";
	char text[8] = "", *end;

	assert(t->kind == TOK_CHAR && t->p[0] == '\'');
	if (t->n < 3 || t->n - 2 >= sizeof(text))
		return false;
	memcpy(text, t->p + 1, t->n - 2);
	if (text[0] != '\\') {
		*value = text[0];
		return !text[1];
	}
	for (const char *s = names; *s; s += 2)
		if (text[1] == s[0] && !text[2]) {
			*value = s[1];
			return true;
		}
	*value = (int64_t)(text[1] == 'x' ? strtol(text + 2, &end, 16) : strtol(text + 1, &end, 8));
	*value = (signed char)*value;
	return !*end;
}

/* Numbers of 32 bits may be the same with another sign. */
static bool is_same(int64_t a, int64_t b)
{
	return a == b || (uint32_t)a == (uint32_t)b;
}

static bool has_value(const struct tok *t, bool minus, int64_t value)
{
	int64_t x;

	if (t->kind == TOK_NUMBER ? !number_of(t, &x) : !character_of(t, &x))
		return false;
	return is_same(minus ? (int64_t)-(uint64_t)x : x, value);
}

/* ---- operands -------------------------------------------------------- */

/* Is the name one of the tokens of the text? */
static bool mentions(const char *text, const struct tok *name)
{
	const char *end = text + strlen(text);
	struct tok t;

	while ((t = take(&text, end)).kind != TOK_END)
		if (t.kind == TOK_NAME && t.n == name->n && memcmp(t.p, name->p, t.n) == 0)
			return true;
	return false;
}

/* Does the token end an operand of the sign: an operator that binds less, or no operator at all? */
static bool ends_operand(const struct tok *t, const char *sign)
{
	static const char *const always[] = { ")", "&&", "||", "?", ":", ";", ",", "]", "{", NULL };
	static const char *const bits[] = { "&", "|", "^", "==", "!=", NULL };
	static const char *const orders[] = { "<", ">", "<=", ">=", NULL };
	bool is_bits, is_sum;

	assert(*sign);
	is_bits = !sign[1] && strchr("&|^", *sign);
	is_sum = strchr("+-*/%", *sign);
	if (t->kind == TOK_END || is_one_of(t, always))
		return true;
	return (!is_bits && is_one_of(t, bits)) || (is_sum && is_one_of(t, orders));
}

/* Is the token a name that the other operand has? */
static bool is_of_other(const struct tok *t, const char *other)
{
	return t->kind == TOK_NAME && mentions(other, t);
}

/* Moves *at behind the bracket that closes the one taken last.  False: there are other things than
 * constants inside. */
static bool skip_brackets(const char **at, const char *end, const char *other)
{
	static const char *const no[] = { "=", "++", "--", ";", "{", "}", "->", ".", "[", NULL };
	struct tok t;

	for (unsigned depth = 1; depth;) {
		t = take(at, end);
		if (t.kind == TOK_END || is_one_of(&t, no) || is_of_other(&t, other))
			return false;
		depth += is(&t, "(");
		depth -= is(&t, ")");
	}
	return true;
}

/* Moves *at over a name (with its arguments, if it is a macro), number, character or brackets.  *value: the
 * value that a number must have; NULL: any. */
static bool skip_primary(const char **at, const char *end, const char *other, const int64_t *value)
{
	struct tok t = take(at, end), next;
	bool minus = is(&t, "-"), inverted = is(&t, "~");

	if (minus || inverted)
		t = take(at, end);
	if (t.kind == TOK_NUMBER || t.kind == TOK_CHAR)
		return !value || (!inverted && has_value(&t, minus, *value));
	if (is(&t, "("))
		return skip_brackets(at, end, other);
	if (t.kind != TOK_NAME || mentions(other, &t))
		return false;
	next = peek(*at, end);
	if (!is(&next, "("))
		return true;
	take(at, end);
	return skip_brackets(at, end, other);
}

/* Blanks and comments in it become one blank. */
static void add_text(struct sbuf *out, const char *p, const char *end)
{
	const char *last = p;

	while (p < end) {
		struct tok t = take(&p, end);

		sbuf_adds(out, t.p > last ? " " : "");
		sbuf_add(out, t.p, t.n);
		last = p;
	}
}

/* Appends the constant behind the sign. */
static bool right_operand(struct sbuf *out, const char *p, const char *end, const char *sign,
			  const char *other, int64_t value)
{
	static const char *const tighter[] = { "+", "-", "*", "/", "%", "<<", ">>", NULL };
	bool compares = strchr("=!<>", *sign) && !str_eq(sign, "<<") && !str_eq(sign, ">>");
	const char *from = skip_blank(p, end), *at = from, *before;
	struct tok next;

	for (before = at; skip_primary(&at, end, other, NULL);) {
		next = peek(at, end);
		if (ends_operand(&next, sign)) {
			if (before == from && !skip_primary(&(const char *){ from }, end, other, &value))
				return false;
			add_text(out, from, at);
			return true;
		}
		if (!compares || !is_one_of(&next, tighter))
			return false;
		take(&at, end);
		before = at;
	}
	return false;
}

/* Appends the constant before the sign: a single name, number or character, behind a bracket or another
 * token that begins an expression. */
static bool left_operand(struct sbuf *out, const char *line, const char *sign_at, const char *other,
			 int64_t value)
{
	static const char *const begins[] = { "(", "&&", "||", "!", "=", ",", "return", NULL };
	struct tok t, last = {0}, before = {0};

	assert(line <= sign_at);
	while ((t = take(&line, sign_at)).kind != TOK_END) {
		before = last;
		last = t;
	}
	if (!last.n || !before.n || !is_one_of(&before, begins) || is_of_other(&last, other))
		return false;
	if (last.kind == TOK_OTHER || (last.kind != TOK_NAME && !has_value(&last, false, value)))
		return false;
	sbuf_add(out, last.p, last.n);
	return true;
}

/* ---- places ---------------------------------------------------------- */

struct speller {
	struct findings *fs;
	const struct ir_module *m;
};

/* The source at a position; *line is where its line begins.  NULL: there is no such. */
static const char *text_at(const struct speller *s, const struct ir_pos *pos, const char **line,
			   const char **end)
{
	const struct source *src;
	size_t n;

	assert(pos->file < s->m->files.n);
	src = source_get(s->fs, s->m->files.v[pos->file]);
	*line = source_line(src, pos->line, &n);
	if (!*line || !pos->col || pos->col > n)
		return NULL;
	*end = src->text + src->n;
	return *line + pos->col - 1;
}

/* ir_spelling.operand */
static bool spell_operand(void *arg, struct sbuf *out, const struct ir_pos *sign_at, const char *sign,
			  const char *other, int64_t value)
{
	const char *line, *end, *at = text_at(arg, sign_at, &line, &end), *p = at;
	struct tok t;

	if (!at || (t = take(&p, end)).p != at || !is(&t, sign))
		return false;
	end = MIN(end, at + MAX_LOOK);
	return right_operand(out, p, end, sign, other, value) || left_operand(out, line, at, other, value);
}

/* Labels that follow each other. */
struct labels {
	struct tok exact;		/* the number or character that has the value */
	struct tok name;		/* the last one that is a name */
	unsigned names;
};

static bool take_label(struct labels *l, const char **p, const char *end, int64_t value)
{
	struct tok label = take(p, end), colon = take(p, end);

	if (!is(&colon, ":") || label.kind == TOK_OTHER)
		return false;
	if (label.kind == TOK_NAME) {
		l->name = label;
		l->names++;
	} else if (has_value(&label, false, value)) {
		l->exact = label;
	}
	return true;
}

/* ir_spelling.label: of the labels right before the code. */
static bool spell_label(void *arg, struct sbuf *out, const struct ir_pos *switch_at,
			const struct ir_pos *code_at, int64_t value)
{
	const char *line, *end, *p = text_at(arg, switch_at, &line, &end);
	const char *code = text_at(arg, code_at, &line, &end);
	struct labels l = {0};
	struct tok t;

	if (!p || !code || code < p || code - p > MAX_LOOK)
		return false;
	while ((t = take(&p, code)).kind != TOK_END) {
		if (!is(&t, "case")) {
			if (!is(&t, "{"))
				memset(&l, 0, sizeof(l));
		} else if (!take_label(&l, &p, code, value)) {
			return false;
		}
	}
	t = l.exact.n ? l.exact : l.name;
	if (!t.n || (!l.exact.n && l.names != 1))
		return false;
	sbuf_add(out, t.p, t.n);
	return true;
}

bool finding_branch_text(struct findings *fs, struct sbuf *out, const struct ir_module *m,
			 const struct ir_func *fn, const struct ir_inst *in, uint32_t t)
{
	struct speller s = { fs, m };
	const struct ir_spelling how = { .operand = spell_operand, .label = spell_label, .arg = &s };

	return ir_expr_branch(out, m, fn, in, t, &how);
}
