/*
 * print.c - models as text, in the language that parse.c reads.
 *
 * The text is the same for equal models.  Values that are alternatives for one
 * place under one condition are joined by `or` where they follow each other.
 */
#include "model/model.h"

#include "base/hash.h"

#include "model/lex.h"
#include "model/priv.h"

#include <inttypes.h>

static void quote(const char *s, FILE *f)
{
	putc('"', f);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c < ' ' || c >= 127)
			fprintf(f, "\\x%02x", c);
		else
			putc(c, f);
	}
	putc('"', f);
}

static void name_print(const char *name, FILE *f)
{
	if (model__is_name(name))
		fputs(name, f);
	else
		quote(name, f);
}

void model_name_print(const char *name, FILE *f)
{
	if (str_eq(name, "resource") || str_eq(name, "override"))
		quote(name, f);
	else
		name_print(name, f);
}

/* ---- places and values ---- */


/* Is the field one name or several with dots between? */
static bool is_dotted(const char *field)
{
	char *copy = xstrdup(field), *rest = copy, *part;	/* strsep() writes to it */
	bool ok = true;

	while (ok && (part = strsep(&rest, ".")))
		ok = model__is_name(part);
	free(copy);
	return ok;
}

static void field_print(const char *field, FILE *f)
{
	if (is_dotted(field))
		fputs(field, f);
	else
		quote(field, f);
}

static void step_print(const struct model_step *s, FILE *f)
{
	fputs(s->any ? "->[*]" : "->", f);
	if (s->any && (s->field || s->offset))
		putc('.', f);
	if (s->field)
		field_print(s->field, f);
	else if (s->offset || !s->any)
		fprintf(f, "[%" PRId64 "]", s->offset);
}

/* The place with its first n steps only.  A step behind a star needs
 * parentheses around the part that the star applies to. */
static void part_print(const struct model_place *p, unsigned n, FILE *f)
{
	bool paren;

	assert(n <= MODEL_MAX_STEPS);	/* the depth of the recursion */
	if (!n) {
		switch (p->base) {
		case MODEL_RETURN: fputs("return", f); break;
		case MODEL_ARG: fprintf(f, "arg%u", p->arg); break;
		case MODEL_ARGS_FROM: fprintf(f, "arg%u...", p->arg); break;
		case MODEL_GLOBAL: fputs("global ", f); name_print(p->global, f); break;
		}
		return;
	}
	if (model__is_deref(&p->steps[n - 1])) {
		putc('*', f);
		part_print(p, n - 1, f);
		return;
	}
	paren = n > 1 && model__is_deref(&p->steps[n - 2]);
	if (paren)
		putc('(', f);
	part_print(p, n - 1, f);
	if (paren)
		putc(')', f);
	step_print(&p->steps[n - 1], f);
}

void model_place_print(const struct model_place *p, FILE *f)
{
	part_print(p, p->nsteps, f);
}

static void new_print(const struct model_value *v, FILE *f)
{
	fprintf(f, "new %s", v->resource->name);
	for (unsigned i = 0; i < v->nfreers; i++) {
		fputs(i ? ", " : " freed by ", f);
		name_print(v->freers[i], f);
	}
	if (v->zeroed)
		fputs(" zeroed", f);
	if (v->nonnull)
		fputs(" nonnull", f);
	if (v->used)
		fputs(" used by return", f);
}

static void value_print(const struct model_value *v, FILE *f)
{
	switch (v->kind) {
	case MODEL_V_NEW: new_print(v, f); break;
	case MODEL_V_INTO: fputs("into ", f);	/* fall through */
	case MODEL_V_PLACE: model_place_print(&v->place, f); break;
	case MODEL_V_NULL: fputs("null", f); break;
	case MODEL_V_NONNULL: fputs("nonnull", f); break;
	case MODEL_V_NEGATIVE: fputs("negative", f); break;
	case MODEL_V_STATIC: fputs("static", f); break;
	case MODEL_V_UNKNOWN: fputs("unknown", f); break;
	case MODEL_V_INT: fprintf(f, "%" PRId64, v->value); break;
	}
	if (v->in) {
		fputs(" in ", f);
		model_place_print(&v->place, f);
	}
}

/* ---- effects ---- */

static void conds_print(const struct model_effect *e, FILE *f)
{
	static const char *const ops[] = {
		[MODEL_EQ] = "==", [MODEL_NE] = "!=", [MODEL_LT] = "<", [MODEL_LE] = "<=",
		[MODEL_GT] = ">", [MODEL_GE] = ">=", [MODEL_HAS] = "has", [MODEL_LACKS] = "lacks",
	};

	for (unsigned i = 0; i < e->nconds; i++) {
		const struct model_cond *c = &e->conds[i];

		fputs(i ? " and " : " when ", f);
		assert((size_t)c->cmp < ARRAY_LEN(ops) && (!c->null || c->value == 0));
		model_place_print(&c->place, f);
		fprintf(f, " %s ", ops[c->cmp]);
		if (c->null)
			fputs("null", f);
		else
			fprintf(f, "%" PRId64, c->value);
	}
}


/* k alternatives of one place. */
static void set_print(const struct model_effect *e, unsigned k, FILE *f)
{
	model_place_print(&e->place, f);
	fputs(model__is_return(&e->place) ? " " : " = ", f);
	for (unsigned i = 0; i < k; i++) {
		fputs(i ? " or " : "", f);
		value_print(&e[i].value, f);
	}
}

static void call_print(const struct model_effect *e, FILE *f)
{
	fputs(e->later ? "call later " : "call ", f);
	model_place_print(&e->place, f);
	putc('(', f);
	for (unsigned i = 0; i < e->nargs; i++) {
		fputs(i ? ", " : "", f);
		assert(!e->args[i].nfreers);
		value_print(&e->args[i], f);
	}
	putc(')', f);
}

static void word_print(const char *word, const struct model_effect *e, const char *to, FILE *f)
{
	fprintf(f, "%s ", word);
	model_place_print(&e->place, f);
	if (e->has_to) {
		fprintf(f, " %s ", to);
		model_place_print(&e->to, f);
	}
}

/* e, or k alternatives from e on: k is more than 1 only where e sets something. */
static void effects_print(const struct model_effect *e, unsigned k, FILE *f)
{
	assert(k == 1 || e->kind == MODEL_E_SET);
	switch (e->kind) {
	case MODEL_E_SET: set_print(e, k, f); break;
	case MODEL_E_FREE:
		word_print("free", e, "", f);
		if (e->resource && !resource_is_memory(e->resource))
			fprintf(f, " as %s", e->resource->name);
		break;
	case MODEL_E_KEEP: word_print("keep", e, "in", f); break;
	case MODEL_E_COPY: word_print("copy", e, "to", f); break;
	case MODEL_E_WRITE: word_print("write", e, "", f); break;
	case MODEL_E_HOLD:
		word_print("hold", e, "in", f);
		if (e->later)
			fputs(" for null", f);
		break;
	case MODEL_E_REF: word_print("ref", e, "", f); break;
	case MODEL_E_CALL: call_print(e, f); break;
	case MODEL_E_NORETURN: fputs("noreturn", f); break;
	}
	conds_print(e, f);
}

void model_effect_print(const struct model_effect *e, FILE *f)
{
	effects_print(e, 1, f);
}

void model_print(const struct model *m, FILE *f)
{
	if (m->override)
		fputs("override ", f);
	model_name_print(m->name, f);
	fputs(" {", f);
	for (unsigned i = 0, k; i < m->neffects; i += k) {
		k = model_alternatives(&m->effects[i], m->neffects - i);
		putc(' ', f);
		effects_print(&m->effects[i], k, f);
		putc(';', f);
	}
	if (m->noreturn)
		fputs(" noreturn;", f);
	else if (!m->neffects)
		fputs(" ignore;", f);
	fputs(" }\n", f);
}

void model_set_print(const struct model_set *s, FILE *f)
{
	for (uint32_t i = 1; i < s->resources.all.n; i++) {	/* memory is known to any set */
		const struct resource *r = s->resources.all.v[i];

		fprintf(f, "resource %s ", r->name);
		quote(r->text, f);
		fputs(r->active ? " active;\n" : ";\n", f);
	}
	for (unsigned i = 0; i < model_count(s); i++)
		model_print(model_at(s, i), f);
}

uint64_t model_effect_digest(const struct model_effect *e)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = e ? open_memstream(&text, &n) : NULL;
	uint64_t h;

	if (!e)
		return 0;
	if (!f)
		mem_exhausted(0);
	model_effect_print(e, f);
	fclose(f);
	h = hash_bytes(text, n, 0);
	free(text);
	return h;
}
