/*
 * parse.c - from text to models; model.h describes the language.
 *
 * By recursive descent with one token of look-ahead.  Only places nest (stars
 * and parentheses), up to MODEL_MAX_STEPS, so that no text can exhaust the
 * stack.  The first error ends the parsing; the message says what was expected there.
 *
 * Models are collected in the parser and added to the set only when the whole
 * text was right.  Their names, effects and so on are made in the set's arena at once.
 */
#include "model/model.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/sbuf.h"
#include "model/lex.h"
#include "model/priv.h"

#include <stdarg.h>

struct declared {		/* a resource declared in this text */
	struct resource *r;
	const char *text;
	bool is_new, active;
};

struct parser {
	struct model_set *set;
	struct arena *arena;	/* the set's */
	const char *name;	/* of the text, for messages */
	const char *file;	/* the same, in the arena */
	struct model_lexer lex;
	struct model_token t;	/* the next one */

	VEC(struct model *) models;
	struct model_index by_name;	/* -> line, of models and of `names` below */
	VEC(struct declared) resources;
	struct model_index resource_by_name;

	/* of the model being read */
	VEC(const char *) names;
	VEC(unsigned) lines;
	VEC(struct model_effect) effects;
	bool override, noreturn;

	/* of the effect being read */
	VEC(struct model_value) values;
	VEC(struct model_cond) conds;
	VEC(struct model_step) steps;
	VEC(const char *) freers;
	struct sbuf text;
};

/* ---- errors ---- */

static int fail_at(struct parser *p, const struct model_token *t, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int fail_at(struct parser *p, const struct model_token *t, const char *fmt, ...)
{
	struct sbuf b = {0};
	va_list ap;

	assert(t->line >= 1 && t->col >= 1);
	va_start(ap, fmt);
	sbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	error_set("%s:%u:%u: %s", p->name, t->line, t->col, sbuf_str(&b));
	sbuf_release(&b);
	return -1;
}

enum { SHOWN = 32 };	/* bytes of a token in a message */

static void show(char out[SHOWN + 4], const struct model_token *t)
{
	size_t n = MIN(t->n, (size_t)SHOWN);

	for (size_t i = 0; i < n; i++)
		out[i] = t->p[i] >= ' ' && t->p[i] < 127 ? t->p[i] : '?';
	strcpy(out + n, t->n > n ? "..." : "");
}

/* Says what should have come instead of the next token. */
static int expected(struct parser *p, const char *what)
{
	char text[SHOWN + 4];

	if (p->t.kind == LEX_END)
		return fail_at(p, &p->t, "expected %s, found the end of the text", what);
	show(text, &p->t);
	if (p->t.kind == LEX_BAD)
		return fail_at(p, &p->t, "'%s': %s", text, p->t.error);
	return fail_at(p, &p->t, "expected %s, found '%s'", what, text);
}

/* ---- tokens ---- */

static void next(struct parser *p)
{
	model__lex_next(&p->lex, &p->t);
}

static bool accept(struct parser *p, enum lex_kind kind)
{
	if (p->t.kind != kind)
		return false;
	next(p);
	return true;
}

static bool accept_word(struct parser *p, const char *word)
{
	if (!model__lex_is(&p->t, word))
		return false;
	next(p);
	return true;
}

static int expect(struct parser *p, enum lex_kind kind, const char *what)
{
	return accept(p, kind) ? 0 : expected(p, what);
}

/* A name, quoted or not; *out lives in the arena. */
static int read_name(struct parser *p, const char **out, const char *what)
{
	if (p->t.kind == LEX_NAME) {
		*out = arena_strndup(p->arena, p->t.p, p->t.n);
	} else if (p->t.kind == LEX_STRING) {
		char *s = arena_alloc(p->arena, p->t.n);

		model__lex_unquote(s, &p->t);
		if (!*s)
			return fail_at(p, &p->t, "a name cannot be empty");
		*out = s;
	} else {
		return expected(p, what);
	}
	next(p);
	return 0;
}

/* The n elements of a vector of the parser, copied to the arena; NULL if none. */
#define keep_vec(p, vec) \
	((vec)->n ? arena_copy((p)->arena, (vec)->v, (vec)->n * sizeof(*(vec)->v)) : NULL)

/* ---- places ---- */

static bool starts_arg(const struct model_token *t)
{
	if (t->kind != LEX_NAME || t->n < 4 || memcmp(t->p, "arg", 3) != 0)
		return false;
	for (size_t i = 3; i < t->n; i++)
		if (t->p[i] < '0' || t->p[i] > '9')
			return false;
	return true;
}

static int read_arg(struct parser *p, struct model_place *out)
{
	unsigned v = 0;

	assert(starts_arg(&p->t));
	for (size_t i = 3; i < p->t.n && v <= MODEL_MAX_ARG; i++)
		v = v * 10 + (unsigned)(p->t.p[i] - '0');
	if (v < 1 || v > MODEL_MAX_ARG || p->t.p[3] == '0')
		return fail_at(p, &p->t, "arguments are arg1 to arg%d", MODEL_MAX_ARG);
	next(p);
	out->arg = v;
	out->base = accept(p, LEX_DOTS) ? MODEL_ARGS_FROM : MODEL_ARG;
	return 0;
}

static int read_base(struct parser *p, struct model_place *out)
{
	if (starts_arg(&p->t))
		return read_arg(p, out);
	if (accept_word(p, "return")) {
		out->base = MODEL_RETURN;
		return 0;
	}
	if (accept_word(p, "global")) {
		out->base = MODEL_GLOBAL;
		return read_name(p, &out->global, "the name of a global variable");
	}
	return expected(p, "a place (return, argN, global NAME, *PLACE or (PLACE))");
}

static int add_step(struct parser *p, const struct model_step *s)
{
	if (p->steps.n == MODEL_MAX_STEPS)
		return fail_at(p, &p->t, "this place has more than %d steps", MODEL_MAX_STEPS);
	vec_push(&p->steps, *s);
	return 0;
}

/* A member's name, a.b.c, or the whole of it in quotes. */
static int read_field(struct parser *p, const char **out)
{
	bool quoted = p->t.kind == LEX_STRING;
	const char *part;
	int ret;

	if ((ret = read_name(p, out, "a member's name or '['")) < 0 || quoted)
		return ret;
	if (p->t.kind != LEX_DOT)
		return 0;
	sbuf_clear(&p->text);
	sbuf_adds(&p->text, *out);
	while (accept(p, LEX_DOT)) {
		if (p->t.kind != LEX_NAME)
			return expected(p, "a member's name");
		if ((ret = read_name(p, &part, "a member's name")) < 0)
			return ret;
		sbuf_addc(&p->text, '.');
		sbuf_adds(&p->text, part);
	}
	*out = arena_strdup(p->arena, sbuf_str(&p->text));
	return 0;
}

/* An offset in brackets; *any says whether it was [*]. */
static int read_offset(struct parser *p, int64_t *out, bool *any)
{
	int ret;

	if ((ret = expect(p, LEX_LBRACKET, "a member's name or '['")) < 0)
		return ret;
	*any = accept(p, LEX_STAR);
	if (!*any) {
		if (p->t.kind != LEX_INT)
			return expected(p, "an offset in bytes or '*'");
		*out = p->t.value;
		next(p);
	}
	return expect(p, LEX_RBRACKET, "']'");
}

/* What follows ->. */
static int read_step(struct parser *p)
{
	struct model_step s = {0};
	bool again;
	int ret;

	if (p->t.kind != LEX_LBRACKET) {
		ret = read_field(p, &s.field);
		return ret < 0 ? ret : add_step(p, &s);
	}
	if ((ret = read_offset(p, &s.offset, &s.any)) < 0)
		return ret;
	if (s.any && accept(p, LEX_DOT)) {
		if (p->t.kind != LEX_LBRACKET)
			ret = read_field(p, &s.field);
		else if ((ret = read_offset(p, &s.offset, &again)) == 0 && again)
			return fail_at(p, &p->t, "[*].[*] means no more than [*]");
		if (ret < 0)
			return ret;
	}
	return add_step(p, &s);
}

static int read_steps(struct parser *p)
{
	int ret = 0;

	while (ret == 0 && accept(p, LEX_ARROW))
		ret = read_step(p);
	return ret;
}

static int read_nested(struct parser *p, struct model_place *out, unsigned depth)
{
	static const struct model_step deref;
	int ret;

	if (depth > MODEL_MAX_STEPS)
		return fail_at(p, &p->t, "this place is nested too deeply");
	if (accept(p, LEX_STAR)) {
		if ((ret = read_nested(p, out, depth + 1)) < 0)
			return ret;
		return add_step(p, &deref);
	}
	if (accept(p, LEX_LPAREN)) {
		if ((ret = read_nested(p, out, depth + 1)) < 0)
			return ret;
		ret = expect(p, LEX_RPAREN, "')'");
	} else {
		ret = read_base(p, out);
	}
	return ret < 0 ? ret : read_steps(p);
}

static void end_place(struct parser *p, struct model_place *out)
{
	out->nsteps = p->steps.n;
	out->steps = keep_vec(p, &p->steps);
}

static int read_place(struct parser *p, struct model_place *out)
{
	int ret;

	memset(out, 0, sizeof(*out));
	vec_clear(&p->steps);
	if ((ret = read_nested(p, out, 0)) < 0)
		return ret;
	end_place(p, out);
	return 0;
}

/* ---- values ---- */

static int read_resource(struct parser *p, const struct resource **out)
{
	const struct model_token t = p->t;
	const uint32_t *i;
	const char *name;

	if (t.kind != LEX_NAME)
		return expected(p, "the name of a resource, such as memory");
	name = arena_strndup(p->arena, t.p, t.n);
	i = model_index_get(&p->resource_by_name, name);
	*out = i ? p->resources.v[*i].r : resources_find(&p->set->resources, name);
	if (!*out)
		return fail_at(p, &t, "unknown resource '%s': "
			       "declare it before its use by: resource %s \"...\";", name, name);
	next(p);
	return 0;
}

/* After `new`. */
static int read_new(struct parser *p, struct model_value *out)
{
	const char *name;
	int ret;

	out->kind = MODEL_V_NEW;
	if ((ret = read_resource(p, &out->resource)) < 0)
		return ret;
	vec_clear(&p->freers);
	if (accept_word(p, "freed")) {
		if (!accept_word(p, "by"))
			return expected(p, "'by' after 'freed'");
		do {
			if ((ret = read_name(p, &name, "the name of a function")) < 0)
				return ret;
			vec_push(&p->freers, name);
		} while (accept(p, LEX_COMMA));
	}
	out->nfreers = p->freers.n;
	out->freers = keep_vec(p, &p->freers);
	out->zeroed = accept_word(p, "zeroed");
	out->nonnull = accept_word(p, "nonnull");
	out->used = accept_word(p, "used");
	if (out->used && (!accept_word(p, "by") || !accept_word(p, "return")))
		return expected(p, "'by return' after 'used'");
	return 0;
}

static const struct {
	const char *word;
	enum model_vkind kind;
} plain_values[] = {
	{ "null", MODEL_V_NULL }, { "nonnull", MODEL_V_NONNULL }, { "negative", MODEL_V_NEGATIVE },
	{ "static", MODEL_V_STATIC }, { "unknown", MODEL_V_UNKNOWN },
};

static bool starts_place(const struct model_token *t)
{
	return t->kind == LEX_STAR || t->kind == LEX_LPAREN || starts_arg(t) ||
	       model__lex_is(t, "return") || model__lex_is(t, "global");
}

static bool may_be_in(enum model_vkind kind)
{
	return kind == MODEL_V_STATIC || kind == MODEL_V_UNKNOWN;
}

static int read_value(struct parser *p, struct model_value *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < ARRAY_LEN(plain_values); i++) {
		if (accept_word(p, plain_values[i].word)) {
			out->kind = plain_values[i].kind;
			if (may_be_in(out->kind))
				out->in = accept_word(p, "in");
			return out->in ? read_place(p, &out->place) : 0;
		}
	}
	if (accept_word(p, "new"))
		return read_new(p, out);
	if (accept_word(p, "into")) {
		out->kind = MODEL_V_INTO;
		return read_place(p, &out->place);
	}
	if (p->t.kind == LEX_INT) {
		out->kind = MODEL_V_INT;
		out->value = p->t.value;
		next(p);
		return 0;
	}
	if (!starts_place(&p->t))
		return expected(p, "a value (new, into, null, nonnull, negative, static, unknown, "
				"a number or a place)");
	out->kind = MODEL_V_PLACE;
	return read_place(p, &out->place);
}

/* ---- conditions ---- */

static int read_cmp(struct parser *p, enum model_cmp *out)
{
	switch (p->t.kind) {
	case LEX_EQ: *out = MODEL_EQ; break;
	case LEX_NE: *out = MODEL_NE; break;
	case LEX_LT: *out = MODEL_LT; break;
	case LEX_LE: *out = MODEL_LE; break;
	case LEX_GT: *out = MODEL_GT; break;
	case LEX_GE: *out = MODEL_GE; break;
	default:
		if (model__lex_is(&p->t, "has"))
			*out = MODEL_HAS;
		else if (model__lex_is(&p->t, "lacks"))
			*out = MODEL_LACKS;
		else
			return expected(p, "== != < <= > >= has or lacks");
	}
	next(p);
	return 0;
}

static int read_cond(struct parser *p, struct model_cond *out)
{
	const struct model_token t = p->t;
	int ret;

	memset(out, 0, sizeof(*out));
	if ((ret = read_place(p, &out->place)) < 0)
		return ret;
	if (out->place.base == MODEL_ARGS_FROM)
		return fail_at(p, &t, "a condition is about one argument, not all from arg%u on",
			       out->place.arg);
	if ((ret = read_cmp(p, &out->cmp)) < 0)
		return ret;
	if (p->t.kind == LEX_INT) {
		out->value = p->t.value;
		next(p);
		return 0;
	}
	if (!model__lex_is(&p->t, "null"))
		return expected(p, "a number or null");
	if (out->cmp != MODEL_EQ && out->cmp != MODEL_NE)
		return fail_at(p, &p->t, "null is compared by == or != only");
	out->null = true;
	next(p);
	return 0;
}

/* `when ...`, if there is one. */
static int read_conds(struct parser *p, unsigned *n, const struct model_cond **out)
{
	struct model_cond c;
	int ret;

	vec_clear(&p->conds);
	if (accept_word(p, "when")) {
		do {
			if ((ret = read_cond(p, &c)) < 0)
				return ret;
			vec_push(&p->conds, c);
		} while (accept_word(p, "and"));
	}
	*n = p->conds.n;
	*out = keep_vec(p, &p->conds);
	return 0;
}

/* ---- effects ---- */

/* The end of any effect: its condition, if there is one, and the semicolon. */
static int end_effect(struct parser *p, struct model_effect *e)
{
	int ret;

	if ((ret = read_conds(p, &e->nconds, &e->conds)) < 0)
		return ret;
	return expect(p, LEX_SEMI, e->nconds ? "'and' or ';'" : "'when' or ';'");
}

static int add_effect(struct parser *p, struct model_effect *e)
{
	int ret = end_effect(p, e);

	if (ret == 0)
		vec_push(&p->effects, *e);
	return ret;
}

/* VALUE or VALUE ...: one effect each. */
static int read_set(struct parser *p, struct model_effect *e)
{
	struct model_value v;
	int ret;

	e->kind = MODEL_E_SET;
	vec_clear(&p->values);
	do {
		if ((ret = read_value(p, &v)) < 0)
			return ret;
		vec_push(&p->values, v);
	} while (accept_word(p, "or"));
	if ((ret = end_effect(p, e)) < 0)
		return ret;
	assert(e->place.nsteps || e->place.base == MODEL_RETURN || e->place.base == MODEL_GLOBAL);
	for (uint32_t i = 0; i < p->values.n; i++) {
		e->value = p->values.v[i];
		vec_push(&p->effects, *e);
	}
	return 0;
}

static int read_assign(struct parser *p, const struct model_token *start, struct model_effect *e)
{
	const struct model_place *to = &e->place;
	int ret;

	if ((ret = expect(p, LEX_ASSIGN, "'='")) < 0)
		return ret;
	if (!to->nsteps && (to->base == MODEL_ARG || to->base == MODEL_ARGS_FROM))
		return fail_at(p, start, "an argument itself cannot be set: "
			       "*arg%u is what it points to", to->arg);
	return read_set(p, e);
}

/* After the word `return` at the beginning of an effect: `return VALUE`, or
 * `return->member = VALUE`. */
static int read_return(struct parser *p, const struct model_token *start, struct model_effect *e)
{
	int ret;

	e->place.base = MODEL_RETURN;
	if (p->t.kind != LEX_ARROW)
		return read_set(p, e);
	vec_clear(&p->steps);
	if ((ret = read_steps(p)) < 0)
		return ret;
	end_place(p, &e->place);
	return read_assign(p, start, e);
}

static int read_free(struct parser *p, struct model_effect *e)
{
	int ret;

	e->kind = MODEL_E_FREE;
	if ((ret = read_place(p, &e->place)) < 0)
		return ret;
	e->resource = p->set->resources.all.v[0];
	if (accept_word(p, "as") && (ret = read_resource(p, &e->resource)) < 0)
		return ret;
	return add_effect(p, e);
}

/* After `keep` or `hold`. */
static int read_keep(struct parser *p, enum model_ekind kind, struct model_effect *e)
{
	int ret;

	e->kind = kind;
	if ((ret = read_place(p, &e->place)) < 0)
		return ret;
	e->has_to = accept_word(p, "in");
	if (e->has_to && (ret = read_place(p, &e->to)) < 0)
		return ret;
	e->later = kind == MODEL_E_HOLD && !e->has_to && accept_word(p, "for");
	if (e->later && (!model_place_is_arg(&e->place, e->place.arg) || !accept_word(p, "null")))
		return expected(p, "'hold ARGUMENT for null'");
	return add_effect(p, e);
}

static int read_copy(struct parser *p, struct model_effect *e)
{
	int ret;

	e->kind = MODEL_E_COPY;
	if ((ret = read_place(p, &e->place)) < 0)
		return ret;
	if (!accept_word(p, "to"))
		return expected(p, "'to' and where it is copied to");
	e->has_to = true;
	if ((ret = read_place(p, &e->to)) < 0)
		return ret;
	return add_effect(p, e);
}

static int read_call(struct parser *p, struct model_effect *e)
{
	struct model_value v;
	int ret;

	e->kind = MODEL_E_CALL;
	e->later = accept_word(p, "later");
	if ((ret = read_place(p, &e->place)) < 0)
		return ret;
	if ((ret = expect(p, LEX_LPAREN, "'(' and the arguments of the call")) < 0)
		return ret;
	vec_clear(&p->values);
	if (p->t.kind != LEX_RPAREN) {
		do {
			const struct model_token t = p->t;

			if ((ret = read_value(p, &v)) < 0)
				return ret;
			if (v.nfreers)	/* the comma could mean either list */
				return fail_at(p, &t,
					       "what is passed to a call takes no 'freed by'");
			vec_push(&p->values, v);
		} while (accept(p, LEX_COMMA));
	}
	if ((ret = expect(p, LEX_RPAREN, "',' or ')'")) < 0)
		return ret;
	e->nargs = p->values.n;
	e->args = keep_vec(p, &p->values);
	return add_effect(p, e);
}

static int read_noreturn(struct parser *p, struct model_effect *e)
{
	int ret;

	e->kind = MODEL_E_NORETURN;
	if ((ret = end_effect(p, e)) < 0)
		return ret;
	if (e->nconds)
		vec_push(&p->effects, *e);
	else
		p->noreturn = true;
	return 0;
}

static int read_plain(struct parser *p, enum model_ekind kind, struct model_effect *e)
{
	int ret;

	e->kind = kind;
	if ((ret = read_place(p, &e->place)) < 0)
		return ret;
	return add_effect(p, e);
}

static int read_effect(struct parser *p)
{
	const struct model_token start = p->t;
	struct model_effect e = {0};
	int ret;

	if (accept_word(p, "return"))
		return read_return(p, &start, &e);
	if (accept_word(p, "free"))
		return read_free(p, &e);
	if (accept_word(p, "keep"))
		return read_keep(p, MODEL_E_KEEP, &e);
	if (accept_word(p, "hold"))
		return read_keep(p, MODEL_E_HOLD, &e);
	if (accept_word(p, "ref"))
		return read_plain(p, MODEL_E_REF, &e);
	if (accept_word(p, "write"))
		return read_plain(p, MODEL_E_WRITE, &e);
	if (accept_word(p, "copy"))
		return read_copy(p, &e);
	if (accept_word(p, "call"))
		return read_call(p, &e);
	if (accept_word(p, "noreturn"))
		return read_noreturn(p, &e);
	if (!starts_place(&p->t))
		return expected(p, "an effect (return, free, keep, hold, ref, copy, write, call, "
				"noreturn, ignore, or PLACE = VALUE)");
	if ((ret = read_place(p, &e.place)) < 0)
		return ret;
	return read_assign(p, &start, &e);
}

/* ---- models ---- */

/* `{ ... }`, at least one effect or `ignore` alone. */
static int read_body(struct parser *p)
{
	int ret;

	vec_clear(&p->effects);
	p->noreturn = false;
	if ((ret = expect(p, LEX_LBRACE, "',' or '{'")) < 0)
		return ret;
	if (model__lex_is(&p->t, "ignore")) {
		next(p);
		if ((ret = expect(p, LEX_SEMI, "';'")) < 0)
			return ret;
		return expect(p, LEX_RBRACE, "'}' (ignore stands alone)");
	}
	do {
		if (model__lex_is(&p->t, "ignore"))
			return fail_at(p, &p->t, "ignore stands alone");
		if ((ret = read_effect(p)) < 0)
			return ret;
	} while (!accept(p, LEX_RBRACE));
	return 0;
}

static int read_model_name(struct parser *p)
{
	const struct model_token t = p->t;
	const char *name;
	uint32_t *line;
	bool is_new;
	int ret;

	if ((ret = read_name(p, &name, "the name of a function")) < 0)
		return ret;
	line = model_index_put(&p->by_name, name, &is_new);
	if (!is_new)
		return fail_at(p, &t, "'%s' is already described in line %u", name, *line);
	*line = t.line;
	vec_push(&p->names, name);
	vec_push(&p->lines, t.line);
	return 0;
}

/* [override] NAME, NAME ... { ... }: the names share their effects. */
static int read_model(struct parser *p)
{
	const struct model_effect *effects;
	int ret;

	vec_clear(&p->names);
	vec_clear(&p->lines);
	p->override = accept_word(p, "override");
	do {
		if ((ret = read_model_name(p)) < 0)
			return ret;
	} while (accept(p, LEX_COMMA));
	if ((ret = read_body(p)) < 0)
		return ret;
	assert(p->names.n && p->names.n == p->lines.n);
	effects = keep_vec(p, &p->effects);
	for (uint32_t i = 0; i < p->names.n; i++) {
		struct model *m = arena_new(p->arena, struct model);

		m->name = p->names.v[i];
		m->override = p->override;
		m->noreturn = p->noreturn;
		m->neffects = p->effects.n;
		m->effects = effects;
		m->file = p->file;
		m->line = p->lines.v[i];
		vec_push(&p->models, m);
	}
	return 0;
}

/* After `resource`. */
static int read_declaration(struct parser *p)
{
	const struct model_token t = p->t;
	struct declared d = {0};
	struct resource *known;
	const char *name;
	int ret;

	if (t.kind != LEX_NAME)
		return expected(p, "the name of the resource");
	if ((ret = read_name(p, &name, "the name of the resource")) < 0)
		return ret;
	if (str_eq(name, "memory") || model_index_get(&p->resource_by_name, name))
		return fail_at(p, &t, "resource '%s' is already declared", name);
	if (p->t.kind != LEX_STRING)
		return expected(p, "what the resource is called in messages, in quotes");
	if ((ret = read_name(p, &d.text, "")) < 0)
		return ret;
	d.active = accept_word(p, "active");
	if ((ret = expect(p, LEX_SEMI, "';'")) < 0)
		return ret;
	known = resources_find(&p->set->resources, name);
	d.is_new = !known;
	d.r = known ? known : arena_new(p->arena, struct resource);
	if (d.is_new)
		d.r->name = name;
	model_index_set(&p->resource_by_name, name, p->resources.n);
	vec_push(&p->resources, d);
	return 0;
}

static int read_text(struct parser *p)
{
	int ret = 0;

	while (ret == 0 && p->t.kind != LEX_END)
		ret = accept_word(p, "resource") ? read_declaration(p) : read_model(p);
	return ret;
}

/* The whole text was right: what it declares goes into the set. */
static void commit(struct parser *p)
{
	for (uint32_t i = 0; i < p->resources.n; i++) {
		const struct declared *d = &p->resources.v[i];

		assert(d->r != p->set->resources.all.v[0]);		/* memory is everybody's */
		d->r->text = d->text;
		d->r->active = d->active;
		if (d->is_new)
			resources_add(&p->set->resources, d->r);
	}
	for (uint32_t i = 0; i < p->models.n; i++) {
#ifdef PLUMB_DEBUG
		model_check(p->models.v[i]);
#endif
		model__add(p->set, p->models.v[i]);
	}
}

int model_parse(struct model_set *s, const char *text, size_t n, const char *name)
{
	struct parser p = { .set = s, .arena = &s->arena, .name = name };
	int ret;

	p.file = arena_strdup(p.arena, name);
	model__lex_init(&p.lex, text, n);
	next(&p);
	if ((ret = read_text(&p)) == 0) {
		commit(&p);
		s->digest = hash_join(s->digest, hash_join(hash_bytes(text, n, 0), hash_str(name)));
	}
	vec_release(&p.models);
	model_index_release(&p.by_name);
	vec_release(&p.resources);
	model_index_release(&p.resource_by_name);
	vec_release(&p.names);
	vec_release(&p.lines);
	vec_release(&p.effects);
	vec_release(&p.values);
	vec_release(&p.conds);
	vec_release(&p.steps);
	vec_release(&p.freers);
	sbuf_release(&p.text);
	return ret;
}
