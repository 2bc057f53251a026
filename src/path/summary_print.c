/*
 * summary_print.c - a summary in the model language, as a person would have
 * written it (model/model.h).
 *
 * The language tells each effect on its own, with the condition under which it
 * happens; a summary tells cases.  An effect that not every case has gets the
 * conditions that the cases with it share and those without it do not: on the
 * result first, since that is what callers look at, then on arguments.  What
 * cannot be said so (two cases told apart by nothing that callers see) is
 * printed without a condition; then it means "may".
 */
#include "path/summary.h"

#include "base/sbuf.h"

struct printer {
	const struct summary *s;
	const struct ir_module *m;
	const struct ir_func *f;
	FILE *out;
	struct sbuf lines;
	uint32_t ncases;		/* that return */
};

/* ---- places ---------------------------------------------------------- */

/* The member of what a value of this type points to, at an offset; *type becomes its type. */
static bool member_name(const struct ir_module *m, uint32_t *type, int64_t off, struct sbuf *out)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, *type)];
	bool first = true;

	while (t->kind == IR_T_STRUCT || t->kind == IR_T_UNION) {
		const struct ir_field *f = NULL;

		if (off >= 0)
			f = ir_field_at(m, (uint32_t)(t - m->types.v), (uint64_t)off);
		if (!f || !*f->name || (uint64_t)off < f->offset)
			return false;
		sbuf_printf(out, "%s%s", first ? "" : ".", f->name);
		first = false;
		off -= (int64_t)f->offset;
		*type = f->type;
		t = &m->types.v[ir_type_strip(m, *type)];
	}
	return !first && !off;
}

static uint32_t type_pointed_to(const struct ir_module *m, uint32_t type)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];

	return t->kind == IR_T_PTR ? t->elem : 0;
}

static void print_step(const struct printer *p, struct sbuf *b, const struct place_step *s, uint32_t *type)
{
	struct sbuf name = {0};
	uint32_t at = *type;
	bool named = !s->any && member_name(p->m, &at, s->off, &name);

	if (named) {
		sbuf_printf(b, "->%s", sbuf_str(&name));
	} else if (!s->any && s->off == 0) {
		char *old = xstrdup(sbuf_str(b));

		sbuf_clear(b);
		sbuf_printf(b, strchr(old, '>') || *old == '*' ? "*(%s)" : "*%s", old);
		free(old);
	} else if (s->any) {
		sbuf_adds(b, "->[*]");
		if (s->off)
			sbuf_printf(b, ".[%lld]", (long long)s->off);
	} else {
		sbuf_printf(b, "->[%lld]", (long long)s->off);
	}
	*type = type_pointed_to(p->m, at);
	sbuf_release(&name);
}

/* Where a new object of a case is kept: the result, or a place that is set to it. */
static bool print_place(const struct printer *p, const struct scase *c, struct sbuf *b,
			const struct place *pl, int depth);

static bool print_new(const struct printer *p, const struct scase *c, struct sbuf *b, uint32_t index,
		      uint32_t *type, int depth)
{
	const struct ir_type *ft = &p->m->types.v[p->f->type];

	if (c->returns && c->ret.kind == SVAL_NEW && c->ret.index == index && !c->ret.off) {
		sbuf_adds(b, "return");
		*type = ft->kind == IR_T_FUNC ? type_pointed_to(p->m, ft->elem) : 0;
		return true;
	}
	*type = 0;
	for (uint32_t i = 0; i < c->effects.n && depth < 4; i++) {
		const struct seffect *e = &c->effects.v[i];

		if (e->kind != SEFF_SET || e->v.kind != SVAL_NEW || e->v.index != index || e->v.off)
			continue;
		if (e->place.base != PLACE_NEW || e->place.index != index)
			return print_place(p, c, b, &e->place, depth + 1);
	}
	return false;
}

static bool print_place(const struct printer *p, const struct scase *c, struct sbuf *b,
			const struct place *pl, int depth)
{
	const struct ir_type *ft = &p->m->types.v[p->f->type];
	uint32_t type = 0, first = 0;

	switch ((enum place_base)pl->base) {
	case PLACE_ARG:
		sbuf_printf(b, "arg%u", pl->index + 1);
		if (ft->kind == IR_T_FUNC && pl->index < ft->nfields)
			type = type_pointed_to(p->m, ft->fields[pl->index].type);
		break;
	case PLACE_GLOBAL:
		if (!pl->nsteps || pl->step[0].off || pl->step[0].any)
			return false;
		sbuf_printf(b, "global %s", p->m->globals.v[pl->index].name);
		type = type_pointed_to(p->m, p->m->globals.v[pl->index].type);
		first = 1;
		break;
	case PLACE_VARARGS:
		if (!pl->nsteps)
			return false;
		sbuf_printf(b, "arg%u...", pl->index + 1);
		first = 1;
		break;
	case PLACE_NEW:
		if (!print_new(p, c, b, pl->index, &type, depth))
			return false;
		break;
	}
	for (unsigned i = first; i < pl->nsteps; i++)
		print_step(p, b, &pl->step[i], &type);
	return true;
}

/* ---- values ---------------------------------------------------------- */

static bool print_value(const struct printer *p, const struct scase *c, const struct sval *v, struct sbuf *b)
{
	const struct snew *n;

	switch ((enum sval_kind)v->kind) {
	case SVAL_NEW:
		n = &c->news.v[v->index];
		if (v->off || !n->effect)
			return false;
		sbuf_printf(b, "new %s", n->effect->value.resource->name);
		for (unsigned i = 0; i < n->effect->value.nfreers; i++)
			sbuf_printf(b, "%s%s", i ? ", " : " freed by ", n->effect->value.freers[i]);
		if (n->zeroed)
			sbuf_adds(b, " zeroed");
		if (n->nonnull)
			sbuf_adds(b, " nonnull");
		return true;
	case SVAL_PLACE:
		if (v->off) {
			sbuf_adds(b, "into ");
		}
		return print_place(p, c, b, &v->place, 0);
	case SVAL_SUM:
		sbuf_adds(b, "unknown");
		return true;
	case SVAL_INTO:
		sbuf_adds(b, "into ");
		return print_place(p, c, b, &v->place, 0);
	case SVAL_SYMBOL:
		sbuf_adds(b, "static");
		return true;
	case SVAL_ANY:
		break;
	}
	if (v->lo == v->hi)
		sbuf_printf(b, "%lld", (long long)v->lo);
	else if (v->lo > 0 || v->hi < 0 || v->not_zero)
		sbuf_adds(b, "nonnull");
	else
		sbuf_adds(b, "unknown");
	return true;
}

/* ---- conditions ------------------------------------------------------ */

static void range_terms(struct sbuf *b, const char *what, int64_t lo, int64_t hi, bool not_zero, bool pointer)
{
	char *name = xstrdup(what);

	if (lo == hi && pointer && lo == 0)
		sbuf_printf(b, "%s%s == null", b->n ? " and " : "", name);
	else if (lo == hi)
		sbuf_printf(b, "%s%s == %lld", b->n ? " and " : "", name, (long long)lo);
	else if (not_zero || (lo == 1 && pointer))
		sbuf_printf(b, "%s%s != %s", b->n ? " and " : "", name, pointer ? "null" : "0");
	else if (lo == 1)
		sbuf_printf(b, "%s%s > 0", b->n ? " and " : "", name);
	else if (hi == -1)
		sbuf_printf(b, "%s%s < 0", b->n ? " and " : "", name);
	else if (lo == 0)
		sbuf_printf(b, "%s%s >= 0", b->n ? " and " : "", name);
	free(name);
}

static bool overlap(int64_t alo, int64_t ahi, int64_t blo, int64_t bhi)
{
	return alo <= bhi && blo <= ahi;
}

static bool has_effect(const struct scase *c, const struct seffect *e)
{
	for (uint32_t i = 0; i < c->effects.n; i++)
		if (c->effects.v[i].kind == e->kind && place_equal(&c->effects.v[i].place, &e->place) &&
		    (e->kind != SEFF_SET || c->effects.v[i].v.kind == e->v.kind))
			return true;
	return false;
}

static bool returns_new(const struct scase *c)
{
	return c->returns && c->ret.kind == SVAL_NEW;
}

/* The result's range over the cases that have the effect; false if others may return the
 * same. */
static bool by_result(const struct printer *p, const struct seffect *e, int64_t *lo, int64_t *hi)
{
	*lo = INT64_MAX;
	*hi = INT64_MIN;
	for (uint32_t i = 0; i < p->s->cases.n; i++) {
		const struct scase *c = &p->s->cases.v[i];

		if (c->noreturn || !has_effect(c, e))
			continue;
		if (!c->returns)
			return false;
		*lo = MIN(*lo, returns_new(c) ? 1 : c->ret.lo);
		*hi = MAX(*hi, c->ret.hi);
	}
	for (uint32_t i = 0; i < p->s->cases.n; i++) {
		const struct scase *c = &p->s->cases.v[i];

		if (!c->noreturn && !has_effect(c, e) &&
		    overlap(*lo, *hi, returns_new(c) ? 1 : c->ret.lo, c->ret.hi))
			return false;
	}
	return true;
}

static bool is_pointer_param(const struct printer *p, const struct place *pl)
{
	return pl->nsteps || pl->base != PLACE_ARG || p->f->params[pl->index].cls == IR_C_PTR;
}

static bool contradicts(const struct scond *k, const struct scond *o)
{
	bool zero = k->lo == 0 && k->hi == 0, other_zero = o->lo == 0 && o->hi == 0;

	return !overlap(k->lo, k->hi, o->lo, o->hi) || (k->not_zero && other_zero) || (o->not_zero && zero);
}

/* Conditions of this case that a case without the effect contradicts. */
static void by_arguments(const struct printer *p, const struct scase *c, const struct seffect *e,
			 struct sbuf *b)
{
	struct sbuf name = {0};

	for (uint32_t i = 0; i < c->conds.n; i++) {
		const struct scond *k = &c->conds.v[i], *o;
		bool tells = false;

		/* that what is freed is not null goes without saying */
		if (e && e->kind == SEFF_FREE && place_equal(&k->place, &e->place))
			continue;
		for (uint32_t j = 0; j < p->s->cases.n && !tells; j++) {
			const struct scase *d = &p->s->cases.v[j];

			if (e ? !d->noreturn && has_effect(d, e) : d->noreturn == c->noreturn)
				continue;
			o = scase_cond(d, &k->place);
			tells = o ? contradicts(k, o)
				  : e && e->kind == SEFF_SET && place_equal(&k->place, &e->place);
		}
		sbuf_clear(&name);
		if (tells && print_place(p, c, &name, &k->place, 0))
			range_terms(b, sbuf_str(&name), k->lo, k->hi, k->not_zero,
				    is_pointer_param(p, &k->place));
	}
	sbuf_release(&name);
}

static bool everywhere(const struct printer *p, const struct seffect *e)
{
	for (uint32_t i = 0; i < p->s->cases.n; i++)
		if (!p->s->cases.v[i].noreturn && !has_effect(&p->s->cases.v[i], e))
			return false;
	return true;
}

/* ---- effects --------------------------------------------------------- */

static void add_line(struct printer *p, const struct sbuf *text, const struct sbuf *when)
{
	struct sbuf line = {0};

	sbuf_printf(&line, "\t%s%s%s;\n", sbuf_str(text), when->n ? " when " : "",
		    when->n ? sbuf_str(when) : "");
	if (!strstr(sbuf_str(&p->lines), sbuf_str(&line)))
		sbuf_adds(&p->lines, sbuf_str(&line));
	sbuf_release(&line);
}

static bool effect_text(const struct printer *p, const struct scase *c, const struct seffect *e,
			struct sbuf *b)
{
	static const char *const verbs[] = { [SEFF_FREE] = "free ", [SEFF_KEEP] = "keep ", [SEFF_SET] = "",
					     [SEFF_WRITE] = "" };

	if (e->kind == SEFF_COPY) {
		sbuf_adds(b, "copy ");
		if (!print_place(p, c, b, &e->v.place, 0))
			return false;
		sbuf_adds(b, " to ");
		return print_place(p, c, b, &e->place, 0);
	}
	sbuf_adds(b, verbs[e->kind]);
	if (!print_place(p, c, b, &e->place, 0))
		return false;
	if (e->kind == SEFF_WRITE)
		sbuf_adds(b, " = unknown");
	if (e->kind == SEFF_SET) {
		sbuf_adds(b, " = ");
		return print_value(p, c, &e->v, b);
	}
	return true;
}

static void print_effects(struct printer *p, const struct scase *c)
{
	struct sbuf text = {0}, when = {0};
	int64_t lo, hi;

	for (uint32_t i = 0; i < c->effects.n; i++) {
		const struct seffect *e = &c->effects.v[i];

		sbuf_clear(&text);
		sbuf_clear(&when);
		if (!effect_text(p, c, e, &text))
			continue;
		if (!everywhere(p, e)) {
			if (by_result(p, e, &lo, &hi))
				range_terms(&when, "return", lo, hi, lo > 0, p->f->ret_cls == IR_C_PTR);
			if (!when.n)
				by_arguments(p, c, e, &when);
		}
		add_line(p, &text, &when);
	}
	sbuf_release(&text);
	sbuf_release(&when);
}

/* Is there another case with this result, so that no condition would tell it? */
static bool result_everywhere(const struct printer *p, const struct scase *c)
{
	for (uint32_t i = 0; i < p->s->cases.n; i++)
		if (!p->s->cases.v[i].noreturn && !sval_equal(&p->s->cases.v[i].ret, &c->ret))
			return false;
	return true;
}

static void print_results(struct printer *p)
{
	struct sbuf text = {0}, when = {0}, one = {0};
	bool any = false;

	sbuf_adds(&text, "return ");
	for (uint32_t i = 0; i < p->s->cases.n; i++) {
		const struct scase *c = &p->s->cases.v[i];

		if (c->noreturn || !c->returns)
			continue;
		sbuf_clear(&one);
		if (!print_value(p, c, &c->ret, &one)) {
			sbuf_clear(&one);
			sbuf_adds(&one, "unknown");
		}
		if (result_everywhere(p, c)) {
			sbuf_clear(&text);
			sbuf_printf(&text, "return %s", sbuf_str(&one));
			any = true;
			break;
		}
		if (strstr(sbuf_str(&text), sbuf_str(&one)))
			continue;
		sbuf_printf(&text, "%s%s", any ? " or " : "", sbuf_str(&one));
		any = true;
	}
	/* a result that may be anything is what every function has */
	if (any && !str_eq(sbuf_str(&text), "return unknown"))
		add_line(p, &text, &when);
	sbuf_release(&text);
	sbuf_release(&when);
	sbuf_release(&one);
}

static void print_noreturn(struct printer *p)
{
	struct sbuf text = {0}, when = {0};

	for (uint32_t i = 0; i < p->s->cases.n; i++)
		if (p->s->cases.v[i].noreturn) {
			by_arguments(p, &p->s->cases.v[i], NULL, &when);
			sbuf_adds(&text, "noreturn");
			if (when.n || !p->ncases)
				add_line(p, &text, &when);
			break;
		}
	sbuf_release(&text);
	sbuf_release(&when);
}

void summary_print(const struct summary *s, const struct ir_module *m, const struct ir_func *f, FILE *out)
{
	struct printer p = { .s = s, .m = m, .f = f, .out = out };

	if (!s->done)
		return;
	for (uint32_t i = 0; i < s->cases.n; i++)
		p.ncases += !s->cases.v[i].noreturn;
	if (s->cut) {
		fputs("# ", out);
		model_name_print(f->name, out);
		fputs(": too many paths; callers take it to keep its arguments\n", out);
		return;
	}
	for (uint32_t i = 0; i < s->cases.n; i++)
		if (!s->cases.v[i].noreturn)
			print_effects(&p, &s->cases.v[i]);
	if (p.ncases)
		print_results(&p);
	print_noreturn(&p);
	model_name_print(f->name, out);
	fprintf(out, " {\n%s}\n", p.lines.n ? sbuf_str(&p.lines) : "\tignore;\n");
	sbuf_release(&p.lines);
}
