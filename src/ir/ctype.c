/*
 * ctype.c - a type as C writes it.
 *
 * C declares a name by an expression that uses it: the text grows around the
 * name, from the inside of the type to its base.  Types may be recursive and
 * even senseless (a pointer to itself): after some levels the text ends in "?".
 */
#include "ir/io.h"

#include "base/sbuf.h"

enum { MAX_LEVELS = 12 };

static void add_type(struct sbuf *out, const struct ir_module *m, uint32_t type, const char *name, int level);

/* Puts text in front of and behind what b holds. */
static void wrap(struct sbuf *b, const char *before, const char *behind)
{
	struct sbuf tmp = {0};

	sbuf_printf(&tmp, "%s%s%s", before, sbuf_str(b), behind);
	sbuf_release(b);
	*b = tmp;
}

static void add_params(struct sbuf *decl, const struct ir_module *m, const struct ir_type *t, int level)
{
	sbuf_addc(decl, '(');
	for (uint32_t i = 0; i < t->nfields; i++) {
		if (i)
			sbuf_adds(decl, ", ");
		add_type(decl, m, t->fields[i].type, "", level + 1);
	}
	if (t->flags & IR_TF_VARIADIC)
		sbuf_adds(decl, t->nfields ? ", ..." : "...");
	else if (!t->nfields)
		sbuf_adds(decl, "void");
	sbuf_addc(decl, ')');
}

static const char *keyword(unsigned kind)
{
	switch (kind) {
	case IR_T_STRUCT:
		return "struct";
	case IR_T_UNION:
		return "union";
	case IR_T_ENUM:
		return "enum";
	default:
		return NULL;
	}
}

static void add_base(struct sbuf *out, const struct ir_type *t)
{
	const char *word = keyword(t->kind);

	if (word)
		sbuf_printf(out, "%s %s", word, *t->name ? t->name : "{...}");
	else if (t->kind == IR_T_VOID)
		sbuf_adds(out, "void");
	else
		sbuf_adds(out, *t->name ? t->name : "?");
}

static void add_type(struct sbuf *out, const struct ir_module *m, uint32_t type, const char *name, int level)
{
	struct sbuf decl = {0};
	const struct ir_type *t = &m->types.v[type];
	bool is_const = false, from_ptr = false;

	assert(level <= MAX_LEVELS);
	sbuf_adds(&decl, name);
	for (;; level++, t = &m->types.v[t->elem]) {
		if (level >= MAX_LEVELS) {
			t = &m->types.v[0];
			break;
		}
		if (t->kind == IR_T_PTR) {
			wrap(&decl, is_const ? "*const " : "*", "");
			is_const = t->flags & IR_TF_CONST;
		} else if (t->kind == IR_T_ARRAY || t->kind == IR_T_FUNC) {
			if (from_ptr)
				wrap(&decl, "(", ")");
			if (t->kind == IR_T_FUNC)
				add_params(&decl, m, t, level);
			else if (t->count)
				sbuf_printf(&decl, "[%llu]", (unsigned long long)t->count);
			else
				sbuf_adds(&decl, "[]");
		} else {
			break;
		}
		from_ptr = t->kind == IR_T_PTR;
	}
	if (is_const)
		sbuf_adds(out, "const ");
	if (t->kind == IR_T_UNKNOWN && from_ptr)
		sbuf_adds(out, "void");
	else
		add_base(out, t);
	if (decl.n)
		sbuf_printf(out, " %s", sbuf_str(&decl));
	sbuf_release(&decl);
}

void ir_type_text(struct sbuf *out, const struct ir_module *m, uint32_t type, const char *name)
{
	assert(type < m->types.n);
	add_type(out, m, type, name, 0);
}
