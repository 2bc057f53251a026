/*
 * exprtext.c - constants as C writes them, for expr.c.
 */
#include "ir/expr.h"

#include "base/sbuf.h"

#include <inttypes.h>

enum {
	MAX_LITERAL = 40,	/* characters shown of a string */
	MAX_PATH = 14,		/* members within members */
};

static void add_escaped(struct sbuf *out, unsigned char c, char quote)
{
	const char *names = "\aa\bb\tt\nn\vv\ff\rr", *at;

	for (at = names; *at && (unsigned char)*at != c; at += 2)
		;
	if (*at)
		sbuf_printf(out, "\\%c", at[1]);
	else if (c == (unsigned char)quote || c == '\\')
		sbuf_printf(out, "\\%c", c);
	else if (c < 32 || c == 127)
		sbuf_printf(out, "\\%o", c);
	else
		sbuf_addc(out, (char)c);
}

bool expr_is_char(const struct ir_module *m, uint32_t type)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];

	return t->kind == IR_T_INT && t->flags & IR_TF_CHAR;
}

bool expr_character(struct sbuf *out, const struct ir_module *m, ir_ref r)
{
	int64_t n = IR_KIND(r) == IR_R_INT ? ir_int_value(m, r) : -1;

	if (!(n >= 32 && n < 127) && n != 0 && !(n >= 7 && n <= 13))
		return false;
	sbuf_addc(out, '\'');
	add_escaped(out, (unsigned char)n, '\'');
	sbuf_addc(out, '\'');
	return true;
}

bool expr_literal(struct sbuf *out, const struct ir_global *g)
{
	size_t n = strlen(g->text);
	bool whole = n <= MAX_LITERAL;

	sbuf_addc(out, '"');
	for (size_t i = 0; i < n && i < MAX_LITERAL; i++)
		add_escaped(out, (unsigned char)g->text[i], '"');
	sbuf_adds(out, whole ? "\"" : "...\"");
	return whole;
}

bool expr_path(struct sbuf *out, const struct ir_module *m, uint32_t *type, uint64_t offset)
{
	for (unsigned i = 0; i < MAX_PATH; i++) {
		const struct ir_type *t = &m->types.v[*type = ir_type_strip(m, *type)];
		const struct ir_field *f;
		uint64_t size;

		if (t->kind == IR_T_ARRAY) {
			size = m->types.v[ir_type_strip(m, t->elem)].size;
			if (!size || (!offset && i))
				return !offset;
			sbuf_printf(out, "[%" PRIu64 "]", offset / size);
			offset %= size;
			*type = ir_type_strip(m, t->elem);
		} else if (offset && (f = ir_field_at(m, *type, offset))) {
			if (*f->name)
				sbuf_printf(out, ".%s", f->name);
			offset -= f->offset;
			*type = ir_type_strip(m, f->type);
		} else {
			return !offset;
		}
		if (!offset)
			return true;
	}
	return false;
}
