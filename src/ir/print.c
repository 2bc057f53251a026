/*
 * print.c - a module as text, for people and for parse.c.  text.h describes it.
 */
#include "ir/io.h"

#include "ir/priv.h"
#include "ir/text.h"

#include "base/file.h"
#include "base/sbuf.h"

#include <inttypes.h>
#include <unistd.h>

const struct word text_type_flags[] = {
	{ "unsigned", IR_TF_UNSIGNED }, { "const", IR_TF_CONST }, { "variadic", IR_TF_VARIADIC },
	{ "declared", IR_TF_DECL }, { "bool", IR_TF_BOOL }, { "char", IR_TF_CHAR }, { NULL, 0 },
};
const struct word text_inst_flags[] = {
	{ "volatile", IR_F_VOLATILE }, { "atomic", IR_F_ATOMIC }, { "maybe", IR_F_MAYBE },
	{ "noreturn", IR_F_NORETURN }, { "twice", IR_F_TWICE }, { "implicit", IR_F_IMPLICIT },
	{ "nsw", IR_F_NSW }, { "added", IR_F_ADDED }, { NULL, 0 },
};
const struct word text_slot_flags[] = {
	{ "temp", IR_S_TEMP }, { "dynamic", IR_S_DYNAMIC }, { "retval", IR_S_RETVAL },
	{ "byval", IR_S_BYVAL }, { NULL, 0 },
};
const struct word text_global_flags[] = {
	{ "const", IR_G_CONST }, { "tls", IR_G_TLS }, { "string", IR_G_STRING },
	{ "partial", IR_G_PARTIAL }, { "local", IR_G_LOCAL }, { NULL, 0 },
};
const struct word text_func_flags[] = {
	{ "variadic", IR_FN_VARIADIC }, { "noreturn", IR_FN_NORETURN }, { "twice", IR_FN_TWICE },
	{ "malloc", IR_FN_MALLOC }, { "readonly", IR_FN_READONLY }, { "ctor", IR_FN_CTOR },
	{ "dtor", IR_FN_DTOR }, { "inline", IR_FN_INLINE }, { NULL, 0 },
};
const char *const text_kinds[IR_T__COUNT] = {
	"unknown", "void", "int", "float", "ptr", "array", "struct", "union", "enum", "func", "typedef",
};
const char *const text_linkages[IR_L__COUNT] = {
	"external", "static", "weak", "common", "extern", "extern_weak",
};
const char *const text_classes[IR_C__COUNT] = { "void", "i", "ptr", "f", "agg", "opaque" };

#define NAME(e, n) n,
const char *const text_bins[IR_B__COUNT] = { IR_BINS(NAME) };
const char *const text_preds[IR_P__COUNT] = { IR_PREDS(NAME) };
const char *const text_casts[IR_CAST__COUNT] = { IR_CASTS(NAME) };
#undef NAME

struct printer {
	const struct ir_module *m;
	const struct ir_func *fn;	/* whose operands are printed; or NULL */
	FILE *f;
	int what;
	uint32_t file;			/* of the last position */
	char *cwd;			/* NULL if unknown */
};

/* ---- names ----------------------------------------------------------- */

static void quoted(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", f);
		else if (c == '\t')
			fputs("\\t", f);
		else if (c < 32 || c == 127)
			fprintf(f, "\\x%02x", c);
		else
			putc(c, f);
	}
	putc('"', f);
}

static bool is_plain(const char *s)
{
	if (!text_is_name_start(*s))
		return false;
	while (text_is_name_char(*s))
		s++;
	return !*s;
}

static void name(FILE *f, const char *s)
{
	if (is_plain(s))
		fputs(s, f);
	else
		quoted(f, s);
}

static void words(FILE *f, const struct word *w, unsigned flags)
{
	for (; w->name; w++)
		if (flags & w->bit)
			fprintf(f, " %s", w->name);
}

/* How many symbols of the module have this name: 2 stands for more than one. */
static unsigned count_symbols(const struct ir_module *m, const char *s)
{
	const struct ir_symtab *tabs[] = { &m->lookup->funcs, &m->lookup->globals };
	unsigned n = 0;

	for (unsigned i = 0; i < 2; i++) {
		const uint32_t *at = ir_ptrmap_get(&tabs[i]->head, s);

		if (at)
			n += tabs[i]->next.v[*at - 1] ? 2 : 1;
	}
	return n;
}

static void symbol(const struct printer *p, const char *s, uint32_t unit, bool definition)
{
	putc('@', p->f);
	name(p->f, s);
	if (definition ? p->m->units.n > 1 || unit : count_symbols(p->m, s) > 1)
		fprintf(p->f, "#%u", unit);
}

static void symbol_ref(const struct printer *p, ir_ref r)
{
	if (IR_KIND(r) == IR_R_FUNC)
		symbol(p, p->m->funcs.v[IR_IDX(r)].name, p->m->funcs.v[IR_IDX(r)].unit, false);
	else
		symbol(p, p->m->globals.v[IR_IDX(r)].name, p->m->globals.v[IR_IDX(r)].unit, false);
}

static const char *special_name(ir_ref r)
{
	assert(IR_KIND(r) == IR_R_SPECIAL);
	if (r == IR_NULL)
		return "null";
	return r == IR_UNDEF ? "undef" : "const";
}

static void ref(const struct printer *p, ir_ref r)
{
	const struct ir_addr *a;

	switch (IR_KIND(r)) {
	case IR_R_VREG:
		fprintf(p->f, "%%%u", IR_IDX(r));
		break;
	case IR_R_SLOT:
		fprintf(p->f, "$%u", IR_IDX(r));
		if (p->fn && is_plain(p->fn->slots[IR_IDX(r)].name))
			fprintf(p->f, ".%s", p->fn->slots[IR_IDX(r)].name);
		break;
	case IR_R_GLOBAL:
	case IR_R_FUNC:
		symbol_ref(p, r);
		break;
	case IR_R_INT:
		fprintf(p->f, "%" PRId64, p->m->ints.v[IR_IDX(r)]);
		break;
	case IR_R_ADDR:
		a = &p->m->addrs.v[IR_IDX(r)];
		symbol_ref(p, a->base);
		fprintf(p->f, "%+" PRId64, a->offset);
		break;
	default:
		fputs(special_name(r), p->f);
		break;
	}
}

/* From operand k on, with commas between. */
static void refs(const struct printer *p, const struct ir_inst *in, uint32_t k)
{
	for (uint32_t i = k; i < in->nops; i++) {
		if (i > k)
			fputs(", ", p->f);
		ref(p, in->ops[i]);
	}
}

static void class(FILE *f, unsigned cls, unsigned bits)
{
	fputs(text_classes[cls], f);
	if (bits != text_default_width(cls) || cls == IR_C_INT || cls == IR_C_FLOAT)
		fprintf(f, "%u", bits);
}

static void pos(struct printer *p, struct ir_pos at)
{
	if (!(p->what & IR_PRINT_POS))
		return;
	if (at.file == IR_NONE) {
		fputs(" @?", p->f);
		return;
	}
	fputs(" @", p->f);
	if (at.file != p->file)
		fprintf(p->f, "f%u:", at.file);
	fprintf(p->f, "%u:%u", at.line, at.col);
	p->file = at.file;
}

static void type_ref(const struct printer *p, uint32_t type)
{
	if (p->what & IR_PRINT_TYPES)
		fprintf(p->f, ": t%u", type);
}

/* A comment ends with its line, whatever names it is made of. */
static void comment(const struct printer *p, const char *s)
{
	fputs("\t; ", p->f);
	for (; *s; s++)
		putc((unsigned char)*s < 32 ? '?' : *s, p->f);
}

/* "\t; struct node *ident" behind a line. */
static void type_comment(const struct printer *p, uint32_t type, const char *ident)
{
	struct sbuf b = {0};

	if (type) {
		ir_type_text(&b, p->m, type, ident);
		comment(p, sbuf_str(&b));
	}
	sbuf_release(&b);
}

static void path(const struct printer *p, const char *s)
{
	char *rel = p->cwd && s[0] == '/' ? path_relative(s, p->cwd) : NULL;
	char *back = rel ? path_absolute(rel) : NULL;

	fputs(s[0] == '/' ? " " : " relative ", p->f);
	/* not if the parser would make another path of it: "/here/../x" */
	quoted(p->f, back && str_eq(back, s) ? rel : s);
	free(rel);
	free(back);
}

/* ---- instructions ---------------------------------------------------- */

static void targets(const struct printer *p, const struct ir_inst *in, uint32_t k)
{
	for (uint32_t i = k; i < in->ntargets; i++)
		fprintf(p->f, "%sb%u", i > k ? ", " : "", in->targets[i]);
}

static void field_inst(const struct printer *p, const struct ir_inst *in)
{
	ref(p, in->ops[0]);
	fprintf(p->f, ", %+" PRId64, in->imm);
	if (!in->type || !(p->what & IR_PRINT_TYPES))
		return;
	fprintf(p->f, " (t%u", in->type);
	if (in->member != IR_NONE)
		fprintf(p->f, ".%u", in->member);
	putc(')', p->f);
}

static void call_inst(const struct printer *p, const struct ir_inst *in)
{
	ref(p, in->ops[0]);
	putc('(', p->f);
	refs(p, in, 1);
	putc(')', p->f);
}

static void switch_inst(const struct printer *p, const struct ir_inst *in)
{
	ref(p, in->ops[0]);
	fputs(" [", p->f);
	for (uint32_t i = 1; i < in->nops; i++) {
		if (i > 1)
			fputs(", ", p->f);
		ref(p, in->ops[i]);
		fprintf(p->f, ": b%u", in->targets[i]);
	}
	fprintf(p->f, "] else b%u", in->targets[0]);
}

static void phi_inst(const struct printer *p, const struct ir_inst *in)
{
	putc('[', p->f);
	for (uint32_t i = 0; i < in->nops; i++) {
		fprintf(p->f, "%sb%u: ", i ? ", " : "", in->targets[i]);
		ref(p, in->ops[i]);
	}
	putc(']', p->f);
}

/* What stands behind the opcode and class. */
static void inst_rest(const struct printer *p, const struct ir_inst *in)
{
	switch (in->op) {
	case IR_FIELD:
		field_inst(p, in);
		break;
	case IR_ELEM:
	case IR_INDEX:
		refs(p, in, 0);
		fprintf(p->f, " * %" PRId64, in->imm);
		break;
	case IR_ALLOCA:
		refs(p, in, 0);
		fputs(" as ", p->f);
		ref(p, IR_SLOT(in->imm));
		break;
	case IR_EXTRACT:
		refs(p, in, 0);
		fprintf(p->f, ", %" PRId64, in->imm);
		break;
	case IR_CAST:
		refs(p, in, 0);
		fprintf(p->f, " from %u", in->from);
		break;
	case IR_CALL:
		call_inst(p, in);
		break;
	case IR_SWITCH:
		switch_inst(p, in);
		break;
	case IR_PHI:
		phi_inst(p, in);
		break;
	case IR_BR:
		targets(p, in, 0);
		break;
	case IR_CONDBR:
		refs(p, in, 0);
		fputs(", ", p->f);
		targets(p, in, 0);
		break;
	case IR_GOTO:
		refs(p, in, 0);
		fputs(" [", p->f);
		targets(p, in, 0);
		putc(']', p->f);
		break;
	default:
		refs(p, in, 0);
		break;
	}
}

static const char *op_name(const struct ir_inst *in)
{
	if (in->op == IR_BIN)
		return text_bins[in->sub];
	if (in->op == IR_CAST)
		return text_casts[in->sub];
	return ir_opinfo[in->op].name;
}

/* The member that a FIELD names, the text of a literal operand. */
static void inst_comment(const struct printer *p, const struct ir_inst *in)
{
	const struct ir_type *t;
	struct sbuf b = {0};

	if (in->op == IR_FIELD && in->type && in->member != IR_NONE) {
		t = &p->m->types.v[ir_type_strip(p->m, in->type)];
		ir_type_text(&b, p->m, in->type, "");
		sbuf_printf(&b, ".%s", t->fields[in->member].name);
		comment(p, sbuf_str(&b));
		sbuf_release(&b);
	}
	for (uint32_t i = 0; i < in->nops; i++) {
		const char *text = NULL;

		if (IR_KIND(in->ops[i]) == IR_R_GLOBAL)
			text = p->m->globals.v[IR_IDX(in->ops[i])].text;
		if (text) {
			fputs("\t; ", p->f);
			quoted(p->f, text);
		}
	}
}

static void inst(struct printer *p, const struct ir_inst *in)
{
	bool has_class = ir_opinfo[in->op].has_res || in->op == IR_STORE;

	if (in->res != IR_NONE)
		fprintf(p->f, "%%%u = ", in->res);
	fputs(op_name(in), p->f);
	words(p->f, text_inst_flags, in->flags);
	if (in->op == IR_CMP)
		fprintf(p->f, " %s", text_preds[in->sub]);
	if (has_class && !(text_is_address(in->op) && in->cls == IR_C_PTR && in->bits == 64)) {
		putc(' ', p->f);
		class(p->f, in->cls, in->bits);
	}
	if (in->nops || in->ntargets || in->op == IR_PHI)
		putc(' ', p->f);
	inst_rest(p, in);
	pos(p, in->pos);
	inst_comment(p, in);
}

/* ---- functions ------------------------------------------------------- */

static void slot(struct printer *p, uint32_t i)
{
	const struct ir_slot *s = &p->fn->slots[i];

	fprintf(p->f, "\tslot $%u", i);
	if (*s->name) {
		putc(' ', p->f);
		if (str_eq(s->name, "size"))	/* which also begins what follows */
			quoted(p->f, s->name);
		else
			name(p->f, s->name);
	}
	type_ref(p, s->type);
	fprintf(p->f, " size %" PRIu64, s->size);
	words(p->f, text_slot_flags, s->flags);
	if (s->param)
		fprintf(p->f, " param %u", s->param);
	pos(p, s->pos);
	type_comment(p, s->type, "");
	putc('\n', p->f);
}

static void func_head(struct printer *p)
{
	const struct ir_func *fn = p->fn;

	fputs("func ", p->f);
	symbol(p, fn->name, fn->unit, true);
	putc('(', p->f);
	for (uint32_t i = 0; i < fn->nparams; i++) {
		const struct ir_param *q = &fn->params[i];

		if (i)
			fputs(", ", p->f);
		class(p->f, q->cls, q->bits);
		fputs(q->sret ? " sret" : "", p->f);
		fputs(q->byval ? " byval" : "", p->f);
	}
	fputs(") ", p->f);
	class(p->f, fn->ret_cls, fn->ret_bits);
	type_ref(p, fn->type);
	fprintf(p->f, " %s", text_linkages[fn->linkage]);
	words(p->f, text_func_flags, fn->flags);
	if (fn->src != fn->name) {
		fputs(" src ", p->f);
		quoted(p->f, fn->src);
	}
	pos(p, fn->pos);
}

static void block(struct printer *p, uint32_t i)
{
	const struct ir_block *b = &p->fn->blocks[i];

	fprintf(p->f, "b%u:", i);
	for (uint32_t k = 0; k < b->npred; k++)
		fprintf(p->f, "%sb%u", k ? ", " : "\t; from ", b->pred[k]);
	putc('\n', p->f);
	for (uint32_t k = 0; k < b->n; k++) {
		putc('\t', p->f);
		inst(p, &p->fn->insts[b->first + k]);
		putc('\n', p->f);
	}
}

static void func(struct printer *p, const struct ir_func *fn)
{
	p->fn = fn;
	p->file = IR_NONE;
	func_head(p);
	if (!ir_is_decl(fn))
		fputs(" {", p->f);
	type_comment(p, fn->type, fn->src);
	putc('\n', p->f);
	for (uint32_t i = 0; i < fn->nslots; i++)
		slot(p, i);
	for (uint32_t i = 0; i < fn->nblocks; i++)
		block(p, i);
	if (!ir_is_decl(fn))
		fputs("}\n", p->f);
	p->fn = NULL;
}

/* ---- the rest -------------------------------------------------------- */

static void global(struct printer *p, const struct ir_global *g)
{
	p->file = IR_NONE;
	fputs("global ", p->f);
	symbol(p, g->name, g->unit, true);
	type_ref(p, g->type);
	fprintf(p->f, " size %" PRIu64 " %s", g->size, text_linkages[g->linkage]);
	words(p->f, text_global_flags, g->flags);
	if (g->func != IR_NONE) {
		fputs(" in ", p->f);
		symbol_ref(p, IR_REF(IR_R_FUNC, g->func));
	}
	if (!str_eq(g->src, g->flags & IR_G_STRING ? "" : g->name)) {
		fputs(" src ", p->f);
		quoted(p->f, g->src);
	}
	if (g->text) {
		fputs(" text ", p->f);
		quoted(p->f, g->text);
	}
	pos(p, g->pos);
	if (g->ninits)
		fputs(" {", p->f);
	type_comment(p, g->type, "");
	putc('\n', p->f);
	for (uint32_t i = 0; i < g->ninits; i++) {
		fprintf(p->f, "\t+%" PRIu64 " %u = ", g->inits[i].offset, g->inits[i].size);
		ref(p, g->inits[i].value);
		putc('\n', p->f);
	}
	if (g->ninits)
		fputs("}\n", p->f);
}

static void fields(const struct printer *p, const struct ir_type *t)
{
	fputs(" {\n", p->f);
	for (uint32_t i = 0; i < t->nfields; i++) {
		const struct ir_field *d = &t->fields[i];

		fprintf(p->f, "\t+%" PRIu64 " ", d->offset);
		name(p->f, d->name);
		fprintf(p->f, ": t%u", d->type);
		if (d->bit_offset || d->bit_size)
			fprintf(p->f, " bits %u:%u", d->bit_offset, d->bit_size);
		type_comment(p, d->type, "");
		putc('\n', p->f);
	}
	fputs("}\n", p->f);
}

static void type(const struct printer *p, uint32_t id)
{
	const struct ir_type *t = &p->m->types.v[id];

	fprintf(p->f, "type t%u = %s", id, text_kinds[t->kind]);
	if (*t->name) {
		putc(' ', p->f);
		quoted(p->f, t->name);
	}
	if (t->elem)
		fprintf(p->f, " t%u", t->elem);
	if (t->kind == IR_T_FUNC) {
		fputs(" (", p->f);
		for (uint32_t i = 0; i < t->nfields; i++)
			fprintf(p->f, "%st%u", i ? ", " : "", t->fields[i].type);
		putc(')', p->f);
	}
	if (t->count)
		fprintf(p->f, " count %" PRIu64, t->count);
	if (t->first)
		fprintf(p->f, " from %" PRId64, t->first);
	if (t->size)
		fprintf(p->f, " size %" PRIu64, t->size);
	words(p->f, text_type_flags, t->flags);
	if (t->nfields && t->kind != IR_T_FUNC) {
		fields(p, t);
		return;
	}
	if (t->kind == IR_T_PTR || t->kind == IR_T_ARRAY || t->kind == IR_T_FUNC)
		type_comment(p, id, "");
	putc('\n', p->f);
}

static void tables(struct printer *p)
{
	const struct ir_module *m = p->m;

	for (uint32_t i = 0; i < m->units.n; i++) {
		fprintf(p->f, "unit %u", i);
		path(p, m->units.v[i].path);
		fputs(" dir", p->f);
		path(p, m->units.v[i].dir);
		putc('\n', p->f);
	}
	for (uint32_t i = 0; p->what & IR_PRINT_POS && i < m->files.n; i++) {
		fprintf(p->f, "file f%u", i);
		path(p, m->files.v[i]);
		putc('\n', p->f);
	}
	for (uint32_t i = 0; i < m->models.n; i++) {
		fputs("model ", p->f);
		quoted(p->f, m->models.v[i]);
		putc('\n', p->f);
	}
	if (p->what & IR_PRINT_TYPES && m->types.n > 1)
		putc('\n', p->f);
	for (uint32_t i = 1; p->what & IR_PRINT_TYPES && i < m->types.n; i++)
		type(p, i);
}

void ir_print(const struct ir_module *m, FILE *f, int what)
{
	struct printer p = { .m = m, .f = f, .what = what, .cwd = getcwd(NULL, 0) };

	fputs(TEXT_HEAD "\n", f);
	tables(&p);
	if (m->globals.n)
		putc('\n', f);
	for (uint32_t i = 0; i < m->globals.n; i++)
		global(&p, &m->globals.v[i]);
	if (m->aliases.n)
		putc('\n', f);
	for (uint32_t i = 0; i < m->aliases.n; i++) {
		const struct ir_alias *a = &m->aliases.v[i];

		fputs("alias ", f);
		symbol(&p, a->name, a->unit, true);
		fputs(" = ", f);
		ref(&p, a->target);
		fprintf(f, " %s\n", text_linkages[a->linkage]);
	}
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		if (i == 0 || !ir_is_decl(&m->funcs.v[i]) || !ir_is_decl(&m->funcs.v[i - 1]))
			putc('\n', f);
		func(&p, &m->funcs.v[i]);
	}
	free(p.cwd);
}

void ir_print_func(const struct ir_module *m, const struct ir_func *fn, FILE *f, int what)
{
	struct printer p = { .m = m, .f = f, .what = what };

	func(&p, fn);
}

void ir_print_inst(const struct ir_module *m, const struct ir_func *fn, const struct ir_inst *in,
		   FILE *f, int what)
{
	struct printer p = { .m = m, .fn = fn, .f = f, .what = what, .file = fn->pos.file };

	inst(&p, in);
}
