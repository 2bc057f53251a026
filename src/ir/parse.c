/*
 * parse.c - a module from its text.  text.h describes the form.
 *
 * Two passes: the first makes types and symbols with their names only, so that
 * the second can refer to what stands further down.  Both know where a thing
 * begins by the word at the start of its line.  The text may be anything; what
 * the builder asserts is checked here, the rest by ir_verify() at the end.
 */
#include "ir/io.h"

#include "ir/code.h"
#include "ir/lex.h"
#include "ir/priv.h"
#include "ir/text.h"

#include "base/error.h"
#include "base/file.h"

struct symkey {
	const char *name;
	uint32_t unit;
};

#define MAP_NAME symbols
#define MAP_KEY struct symkey
#define MAP_VAL ir_ref
#define MAP_HASH(k) hash_join((uintptr_t)(k).name, (k).unit)
#define MAP_EQ(a, b) ((a).name == (b).name && (a).unit == (b).unit)
#include "base/map.h"

struct parser {
	struct lexer l;
	struct ir_module *m;
	struct symbols symbols;		/* by name and unit; unit IR_NONE: by name alone */
	uint32_t nglobals, nfuncs, ntypes, nfiles;	/* made so far in the second pass */
	uint32_t file;			/* of the last position */
	struct ir_builder b;
	bool in_body;
	VEC(ir_ref) ops;		/* of the instruction at hand */
	VEC(uint32_t) targets;
};

/* A bare name that several symbols have. */
#define AMBIGUOUS IR_UNDEF

/* ---- pieces ---------------------------------------------------------- */

/* A plain or quoted name. */
static const char *parse_name(struct parser *p)
{
	const char *s;

	if (p->l.kind != L_NAME && p->l.kind != L_STRING) {
		irlex_fail(&p->l, "expected a name");
		return ir_intern(p->m, "");
	}
	s = ir_intern(p->m, sbuf_str(&p->l.text));
	irlex_next(&p->l);
	return s;
}

static const char *parse_string(struct parser *p)
{
	if (p->l.kind != L_STRING)
		irlex_fail(&p->l, "expected a string");
	return parse_name(p);
}

static char *parse_path(struct parser *p)
{
	bool relative = irlex_accept_word(&p->l, "relative");
	const char *s = parse_string(p);

	return relative || *s == '/' ? xstrdup(s) : path_absolute(s);
}

static unsigned parse_words(struct parser *p, const struct word *table)
{
	unsigned flags = 0;
	const struct word *w;

	do {
		for (w = table; w->name && !irlex_accept_word(&p->l, w->name); w++)
			;
		flags |= w->bit;
	} while (w->name);
	return flags;
}

/* The number of the word in a table, which must be one of it. */
static unsigned parse_choice(struct parser *p, const char *const *table, unsigned n, const char *what)
{
	for (unsigned i = 0; i < n; i++)
		if (irlex_accept_word(&p->l, table[i]))
			return i;
	irlex_fail(&p->l, "expected %s", what);
	return 0;
}

static uint32_t parse_type_ref(struct parser *p)
{
	uint32_t t = irlex_numbered(&p->l, 't');

	if (t >= p->m->types.n) {
		irlex_fail_last(&p->l, "no type t%u", t);
		return 0;
	}
	return t;
}

static uint32_t parse_optional_type(struct parser *p)
{
	return irlex_accept(&p->l, ':') ? parse_type_ref(p) : 0;
}

/* "i32", "ptr", ...: the class named by the present token, if it is one. */
static bool peek_class(const struct parser *p, uint8_t *cls, uint16_t *bits)
{
	const char *s = sbuf_str(&p->l.text);

	if (p->l.kind != L_NAME)
		return false;
	for (unsigned c = 0; c < IR_C__COUNT; c++) {
		size_t n = strlen(text_classes[c]), digits;

		if (strncmp(s, text_classes[c], n))
			continue;
		digits = strspn(s + n, "0123456789");
		if (s[n + digits] || digits > 5 || (digits && strtoul(s + n, NULL, 10) > UINT16_MAX))
			continue;
		if (!digits && (c == IR_C_INT || c == IR_C_FLOAT))
			continue;
		*cls = (uint8_t)c;
		*bits = (uint16_t)(digits ? strtoul(s + n, NULL, 10) : text_default_width(c));
		return true;
	}
	return false;
}

static uint8_t parse_class(struct parser *p, uint16_t *bits)
{
	uint8_t cls = 0;

	*bits = 0;
	if (peek_class(p, &cls, bits))
		irlex_next(&p->l);
	else
		irlex_fail(&p->l, "expected a class such as i32 or ptr");
	return cls;
}

/* Is the "@" at hand that of a position? */
static bool at_pos(const struct parser *p)
{
	const char *s = p->l.start + 1, *end = p->l.end;

	if (!irlex_is(&p->l, '@') || s >= end)
		return false;
	if (*s == '?' || (*s >= '0' && *s <= '9'))
		return true;
	if (*s++ != 'f')
		return false;
	while (s < end && *s >= '0' && *s <= '9')
		s++;
	return s < end && *s == ':' && s[-1] != 'f';
}

static struct ir_pos parse_pos(struct parser *p)
{
	struct ir_pos pos = { .file = IR_NONE };

	if (!at_pos(p))
		return pos;
	irlex_expect(&p->l, '@');
	if (irlex_accept(&p->l, '?'))
		return pos;
	if (irlex_is_numbered(&p->l, 'f')) {
		p->file = irlex_numbered(&p->l, 'f');
		irlex_expect(&p->l, ':');
	}
	pos.file = p->file;
	pos.line = (uint32_t)irlex_number(&p->l, UINT32_MAX);
	irlex_expect(&p->l, ':');
	pos.col = (uint16_t)irlex_number(&p->l, UINT16_MAX);
	if (pos.file >= p->m->files.n)
		irlex_fail_last(&p->l, "position in an unknown file");
	return pos;
}

/* ---- symbols and operands -------------------------------------------- */

/* "@name#unit"; without "#unit", *unit is none. */
static const char *parse_symbol(struct parser *p, uint32_t *unit, uint32_t none)
{
	const char *s;

	irlex_expect(&p->l, '@');
	s = parse_name(p);
	*unit = none;
	if (irlex_accept(&p->l, '#'))
		*unit = (uint32_t)irlex_number(&p->l, UINT32_MAX - 1);
	return s;
}

static ir_ref parse_symbol_ref(struct parser *p)
{
	struct symkey key;
	const ir_ref *r;

	key.name = parse_symbol(p, &key.unit, IR_NONE);
	r = symbols_get(&p->symbols, key);
	if (!r)
		irlex_fail_last(&p->l, "no symbol @%s", key.name);
	else if (*r == AMBIGUOUS)
		irlex_fail_last(&p->l, "several symbols @%s: name the unit", key.name);
	return r ? *r : AMBIGUOUS;
}

static ir_ref parse_slot_ref(struct parser *p)
{
	uint64_t i;

	irlex_expect(&p->l, '$');
	i = irlex_number(&p->l, IR_MAX_IDX);
	if (p->l.kind == L_NAME && sbuf_str(&p->l.text)[0] == '.')
		irlex_next(&p->l);	/* the variable's name is only for the reader */
	return IR_SLOT(i);
}

static ir_ref parse_ref(struct parser *p)
{
	ir_ref r;

	if (irlex_accept(&p->l, '%'))
		return IR_VREG(irlex_number(&p->l, IR_MAX_IDX));
	if (irlex_is(&p->l, '$'))
		return parse_slot_ref(p);
	if (irlex_is(&p->l, '@')) {
		r = parse_symbol_ref(p);
		/* "@x+8" is one address; a "+" further on begins something else */
		if ((irlex_is(&p->l, '+') || irlex_is(&p->l, '-')) && !p->l.spaced && r != AMBIGUOUS)
			r = ir_addr(p->m, r, irlex_signed(&p->l));
		return r;
	}
	if (irlex_accept_word(&p->l, "null"))
		return IR_NULL;
	if (irlex_accept_word(&p->l, "undef"))
		return IR_UNDEF;
	if (irlex_accept_word(&p->l, "const"))
		return IR_CONST;
	if (p->l.kind == L_NUMBER || irlex_is(&p->l, '-'))
		return ir_int(p->m, irlex_signed(&p->l));
	irlex_fail(&p->l, "expected an operand");
	return IR_UNDEF;
}

static void parse_op(struct parser *p)
{
	vec_push(&p->ops, parse_ref(p));
}

static void parse_target(struct parser *p)
{
	vec_push(&p->targets, irlex_numbered(&p->l, 'b'));
}

/* Does an operand follow?  Not the end of the instruction, nor its position. */
static bool at_ref(const struct parser *p)
{
	if (p->l.kind == L_PUNCT)
		return irlex_is(&p->l, '%') || irlex_is(&p->l, '$') || irlex_is(&p->l, '-') ||
		       (irlex_is(&p->l, '@') && !at_pos(p));
	return p->l.kind == L_NUMBER || irlex_is_word(&p->l, "null") || irlex_is_word(&p->l, "undef") ||
	       irlex_is_word(&p->l, "const");
}

/* A vreg at the start of the next line is that instruction's result. */
static bool at_result(const struct parser *p)
{
	const char *s = p->l.p, *end = p->l.end;

	if (!irlex_is(&p->l, '%'))
		return false;
	while (s < end && *s >= '0' && *s <= '9')
		s++;
	while (s < end && *s == ' ')
		s++;
	return s < end && *s == '=';
}

static void parse_ops(struct parser *p)
{
	if (!at_ref(p) || at_result(p))
		return;
	do
		parse_op(p);
	while (irlex_accept(&p->l, ','));
}

/* ---- instructions ---------------------------------------------------- */

/* Sets op and sub from the word; arithmetic and casts stand for themselves. */
static void parse_opcode(struct parser *p, struct ir_inst *in)
{
	for (unsigned i = 0; i < IR_B__COUNT; i++)
		if (irlex_accept_word(&p->l, text_bins[i])) {
			in->op = IR_BIN;
			in->sub = (uint8_t)i;
			return;
		}
	for (unsigned i = 0; i < IR_CAST__COUNT; i++)
		if (irlex_accept_word(&p->l, text_casts[i])) {
			in->op = IR_CAST;
			in->sub = (uint8_t)i;
			return;
		}
	for (unsigned i = 0; i < IR__OPS; i++)
		if (i != IR_BIN && i != IR_CAST && irlex_accept_word(&p->l, ir_opinfo[i].name)) {
			in->op = (uint8_t)i;
			return;
		}
	irlex_fail(&p->l, "expected an instruction, not \"%s\"", sbuf_str(&p->l.text));
}

static void parse_field(struct parser *p, struct ir_inst *in)
{
	unsigned type, member;
	char c;

	parse_op(p);
	irlex_expect(&p->l, ',');
	in->imm = irlex_signed(&p->l);
	if (!irlex_accept(&p->l, '('))
		return;
	if (p->l.kind == L_NAME && sscanf(sbuf_str(&p->l.text), "t%9u.%9u%c", &type, &member, &c) == 2) {
		irlex_next(&p->l);
		in->type = type;
		in->member = member;
		if (type >= p->m->types.n)
			irlex_fail_last(&p->l, "no type t%u", type);
	} else {
		in->type = parse_type_ref(p);
	}
	irlex_expect(&p->l, ')');
}

static void parse_call(struct parser *p)
{
	parse_op(p);
	irlex_expect(&p->l, '(');
	if (irlex_accept(&p->l, ')'))
		return;
	parse_ops(p);
	irlex_expect(&p->l, ')');
}

static void parse_switch(struct parser *p)
{
	parse_op(p);
	vec_push(&p->targets, 0);	/* the default, which comes last in the text */
	irlex_expect(&p->l, '[');
	while (!p->l.failed && !irlex_is(&p->l, ']')) {
		parse_op(p);
		irlex_expect(&p->l, ':');
		parse_target(p);
		if (!irlex_accept(&p->l, ','))
			break;
	}
	irlex_expect(&p->l, ']');
	irlex_expect_word(&p->l, "else");
	p->targets.v[0] = irlex_numbered(&p->l, 'b');
}

static void parse_phi(struct parser *p)
{
	irlex_expect(&p->l, '[');
	while (!p->l.failed && !irlex_is(&p->l, ']')) {
		parse_target(p);
		irlex_expect(&p->l, ':');
		parse_op(p);
		if (!irlex_accept(&p->l, ','))
			break;
	}
	irlex_expect(&p->l, ']');
}

/* "[b1, b2]" */
static void parse_target_list(struct parser *p)
{
	irlex_expect(&p->l, '[');
	while (!p->l.failed && !irlex_is(&p->l, ']')) {
		parse_target(p);
		if (!irlex_accept(&p->l, ','))
			break;
	}
	irlex_expect(&p->l, ']');
}

static void parse_rest(struct parser *p, struct ir_inst *in)
{
	switch (in->op) {
	case IR_FIELD:
		parse_field(p, in);
		break;
	case IR_ELEM:
	case IR_INDEX:
		parse_ops(p);
		irlex_expect(&p->l, '*');
		in->imm = irlex_signed(&p->l);
		break;
	case IR_ALLOCA:
		parse_op(p);
		irlex_expect_word(&p->l, "as");
		in->imm = IR_IDX(parse_slot_ref(p));
		break;
	case IR_EXTRACT:
		parse_op(p);
		irlex_expect(&p->l, ',');
		in->imm = irlex_signed(&p->l);
		break;
	case IR_CAST:
		parse_op(p);
		irlex_expect_word(&p->l, "from");
		in->from = (uint16_t)irlex_number(&p->l, UINT16_MAX);
		break;
	case IR_CALL:
		parse_call(p);
		break;
	case IR_SWITCH:
		parse_switch(p);
		break;
	case IR_PHI:
		parse_phi(p);
		break;
	case IR_BR:
		parse_target(p);
		break;
	case IR_CONDBR:
		parse_op(p);
		irlex_expect(&p->l, ',');
		parse_target(p);
		irlex_expect(&p->l, ',');
		parse_target(p);
		break;
	case IR_GOTO:
		parse_op(p);
		parse_target_list(p);
		break;
	default:
		parse_ops(p);
		break;
	}
}

/* The text of one instruction, without "%5 =". */
static void parse_inst_body(struct parser *p, struct ir_inst *in)
{
	bool has_class;

	parse_opcode(p, in);
	in->flags = (uint8_t)parse_words(p, text_inst_flags);
	if (in->op == IR_CMP)
		in->sub = (uint8_t)parse_choice(p, text_preds, IR_P__COUNT, "a comparison such as eq");
	has_class = ir_opinfo[in->op].has_res || in->op == IR_STORE;
	if (text_is_address(in->op)) {
		in->cls = IR_C_PTR;
		in->bits = 64;
		has_class = peek_class(p, &in->cls, &in->bits);
	}
	if (has_class)
		in->cls = parse_class(p, &in->bits);
	parse_rest(p, in);
	in->pos = parse_pos(p);
}

static void parse_inst(struct parser *p)
{
	struct ir_inst in = { .member = IR_NONE }, *made;
	uint32_t res = IR_NONE;

	vec_clear(&p->ops);
	vec_clear(&p->targets);
	if (irlex_accept(&p->l, '%')) {
		res = (uint32_t)irlex_number(&p->l, IR_MAX_IDX);
		irlex_expect(&p->l, '=');
	}
	parse_inst_body(p, &in);
	if (!p->l.failed && ir_opinfo[in.op].nops >= 0 && ir_opinfo[in.op].nops != (int)p->ops.n)
		irlex_fail_last(&p->l, "%s takes %d operands", ir_opinfo[in.op].name, ir_opinfo[in.op].nops);
	if (!p->l.failed && p->b.nvregs >= IR_MAX_IDX)
		irlex_fail(&p->l, "too many results");
	if (p->l.failed)
		return;
	p->b.pos = in.pos;
	p->b.flags = in.flags;
	made = ir_body_inst(&p->b, in.op, in.cls, in.bits, p->ops.v, p->ops.n);
	ir_body_targets(&p->b, made, p->targets.v, p->targets.n);
	made->sub = in.sub;
	made->from = in.from;
	made->type = in.type;
	made->member = in.member;
	made->imm = in.imm;
	if (made->res != res && made->res == IR_NONE)
		irlex_fail_last(&p->l, "%s has no result", ir_opinfo[in.op].name);
	else if (made->res != res)
		irlex_fail_last(&p->l, "the result must be %%%u", made->res);
}

/* ---- functions ------------------------------------------------------- */

static void parse_slot(struct parser *p)
{
	struct ir_slot s = { .name = "" };

	irlex_expect_word(&p->l, "slot");
	irlex_expect(&p->l, '$');
	if (irlex_number(&p->l, IR_MAX_IDX) != p->b.slots.n)
		irlex_fail_last(&p->l, "the next slot is $%u", p->b.slots.n);
	if (!irlex_is(&p->l, ':') && !irlex_is_word(&p->l, "size"))
		s.name = parse_name(p);
	s.type = parse_optional_type(p);
	irlex_expect_word(&p->l, "size");
	s.size = irlex_number(&p->l, UINT64_MAX);
	s.flags = (uint16_t)parse_words(p, text_slot_flags);
	if (irlex_accept_word(&p->l, "param"))
		s.param = (uint16_t)irlex_number(&p->l, UINT16_MAX);
	s.pos = parse_pos(p);
	if (!p->l.failed)
		ir_body_slot(&p->b, &s);
}

/* What ir_body_end() asserts. */
static void check_body(struct parser *p)
{
	const struct ir_inst *v = p->b.insts.v;

	if (!p->b.nblocks)
		irlex_fail_last(&p->l, "a body needs a block");
	for (uint32_t i = 0; i < p->b.insts.n && !p->l.failed; i++) {
		bool last = i + 1 == p->b.insts.n || v[i + 1].block != v[i].block;

		if (ir_is_term(&v[i]) != last)
			irlex_fail_last(&p->l, "block b%u does not end in its only terminator", v[i].block);
		for (uint32_t k = 0; k < v[i].ntargets; k++)
			if (v[i].targets[k] >= p->b.nblocks)
				irlex_fail_last(&p->l, "no block b%u", v[i].targets[k]);
	}
}

static void parse_label(struct parser *p)
{
	if (p->b.nblocks && (!p->b.insts.n || vec_last(&p->b.insts).block != p->b.cur))
		irlex_fail_last(&p->l, "block b%u is empty", p->b.cur);
	if (irlex_numbered(&p->l, 'b') != p->b.nblocks)
		irlex_fail_last(&p->l, "the next block is b%u", p->b.nblocks);
	irlex_expect(&p->l, ':');
	ir_body_at(&p->b, ir_body_block(&p->b));
}

static void parse_body(struct parser *p, uint32_t func)
{
	ir_body_begin(&p->b, p->m, func);
	p->in_body = true;
	while (irlex_is_word(&p->l, "slot"))
		parse_slot(p);
	while (!p->l.failed && !irlex_is(&p->l, '}')) {
		if (p->l.kind == L_END)
			irlex_fail_last(&p->l, "function without end");
		else if (irlex_is_numbered(&p->l, 'b'))
			parse_label(p);
		else if (!p->b.nblocks)
			irlex_fail(&p->l, "expected a block");
		else
			parse_inst(p);
	}
	if (!p->l.failed && (!p->b.insts.n || vec_last(&p->b.insts).block + 1 != p->b.nblocks))
		irlex_fail_last(&p->l, "the last block is empty");
	if (!p->l.failed)
		check_body(p);
	irlex_expect(&p->l, '}');
	if (p->l.failed)
		ir_body_abort(&p->b);
	else
		ir_body_end(&p->b);
	p->in_body = false;
}

static void parse_params(struct parser *p, struct ir_func *f)
{
	VEC(struct ir_param) params = {0};

	irlex_expect(&p->l, '(');
	while (!p->l.failed && !irlex_is(&p->l, ')')) {
		struct ir_param *q = vec_add(&params, 1);

		q->cls = parse_class(p, &q->bits);
		q->sret = irlex_accept_word(&p->l, "sret");
		q->byval = irlex_accept_word(&p->l, "byval");
		if (!irlex_accept(&p->l, ','))
			break;
	}
	irlex_expect(&p->l, ')');
	f->nparams = params.n;
	f->params = arena_copy(&p->m->arena, params.v, params.n * sizeof(*params.v));
	vec_release(&params);
}

static void parse_func(struct parser *p)
{
	uint32_t unit, id = p->nfuncs++;
	struct ir_func *f = &p->m->funcs.v[id];

	parse_symbol(p, &unit, 0);
	parse_params(p, f);
	f->ret_cls = parse_class(p, &f->ret_bits);
	f->type = parse_optional_type(p);
	f->linkage = (uint8_t)parse_choice(p, text_linkages, IR_L__COUNT, "a linkage such as external");
	f->flags = (uint16_t)parse_words(p, text_func_flags);
	if (irlex_accept_word(&p->l, "src"))
		f->src = parse_string(p);
	f->pos = parse_pos(p);
	if (irlex_accept(&p->l, '{'))
		parse_body(p, id);
}

/* ---- the rest -------------------------------------------------------- */

static void parse_inits(struct parser *p, struct ir_global *g)
{
	VEC(struct ir_init) inits = {0};

	while (irlex_accept(&p->l, '+')) {
		struct ir_init in;

		in.offset = irlex_number(&p->l, UINT64_MAX);
		in.size = (uint16_t)irlex_number(&p->l, UINT16_MAX);
		irlex_expect(&p->l, '=');
		in.value = parse_ref(p);
		vec_push(&inits, in);
	}
	irlex_expect(&p->l, '}');
	g->ninits = inits.n;
	g->inits = arena_copy(&p->m->arena, inits.v, inits.n * sizeof(*inits.v));
	vec_release(&inits);
}

static void parse_global(struct parser *p)
{
	struct ir_global *g = &p->m->globals.v[p->nglobals++];
	uint32_t unit;
	ir_ref fn;

	parse_symbol(p, &unit, 0);
	g->type = parse_optional_type(p);
	irlex_expect_word(&p->l, "size");
	g->size = irlex_number(&p->l, UINT64_MAX);
	g->linkage = (uint8_t)parse_choice(p, text_linkages, IR_L__COUNT, "a linkage such as external");
	g->flags = (uint16_t)parse_words(p, text_global_flags);
	if (irlex_accept_word(&p->l, "in")) {
		fn = parse_symbol_ref(p);
		if (IR_KIND(fn) != IR_R_FUNC)
			irlex_fail_last(&p->l, "expected a function");
		g->func = IR_IDX(fn);
	}
	g->src = g->flags & IR_G_STRING ? ir_intern(p->m, "") : g->name;
	if (irlex_accept_word(&p->l, "src"))
		g->src = parse_string(p);
	if (irlex_accept_word(&p->l, "text"))
		g->text = parse_string(p);
	g->pos = parse_pos(p);
	if (irlex_accept(&p->l, '{'))
		parse_inits(p, g);
}

static void parse_alias(struct parser *p)
{
	uint32_t unit, id;
	const char *s = parse_symbol(p, &unit, 0);
	ir_ref target;

	irlex_expect(&p->l, '=');
	target = parse_ref(p);
	id = ir_add_alias(p->m, s, parse_choice(p, text_linkages, IR_L__COUNT, "a linkage such as external"),
			  target);
	p->m->aliases.v[id].unit = unit;
}

static void parse_fields(struct parser *p, struct ir_type *t)
{
	VEC(struct ir_field) fields = {0};

	while (irlex_accept(&p->l, '+')) {
		struct ir_field f = {0};

		f.offset = irlex_number(&p->l, UINT64_MAX);
		f.name = parse_name(p);
		irlex_expect(&p->l, ':');
		f.type = parse_type_ref(p);
		if (irlex_accept_word(&p->l, "bits")) {
			f.bit_offset = (uint16_t)irlex_number(&p->l, UINT16_MAX);
			irlex_expect(&p->l, ':');
			f.bit_size = (uint16_t)irlex_number(&p->l, UINT16_MAX);
		}
		vec_push(&fields, f);
	}
	irlex_expect(&p->l, '}');
	t->nfields = fields.n;
	t->fields = arena_copy(&p->m->arena, fields.v, fields.n * sizeof(*fields.v));
	vec_release(&fields);
}

static void parse_func_params(struct parser *p, struct ir_type *t)
{
	VEC(struct ir_field) fields = {0};

	irlex_expect(&p->l, '(');
	while (irlex_is_numbered(&p->l, 't')) {
		struct ir_field f = { .name = "" };

		f.type = parse_type_ref(p);
		vec_push(&fields, f);
		if (!irlex_accept(&p->l, ','))
			break;
	}
	irlex_expect(&p->l, ')');
	t->nfields = fields.n;
	t->fields = arena_copy(&p->m->arena, fields.v, fields.n * sizeof(*fields.v));
	vec_release(&fields);
}

static void parse_type(struct parser *p)
{
	struct ir_type t = { .name = "" };
	uint32_t id = ++p->ntypes;

	if (irlex_numbered(&p->l, 't') != id)
		irlex_fail_last(&p->l, "the next type is t%u", id);
	irlex_expect(&p->l, '=');
	t.kind = (uint8_t)parse_choice(p, text_kinds, IR_T__COUNT, "a kind of type");
	if (p->l.kind == L_STRING)
		t.name = parse_string(p);
	if (irlex_is_numbered(&p->l, 't'))
		t.elem = parse_type_ref(p);
	if (t.kind == IR_T_FUNC)
		parse_func_params(p, &t);
	if (irlex_accept_word(&p->l, "count"))
		t.count = irlex_number(&p->l, UINT64_MAX);
	if (irlex_accept_word(&p->l, "from"))
		t.first = irlex_signed(&p->l);
	if (irlex_accept_word(&p->l, "size"))
		t.size = irlex_number(&p->l, UINT64_MAX);
	t.flags = (uint8_t)parse_words(p, text_type_flags);
	if (irlex_accept(&p->l, '{'))
		parse_fields(p, &t);
	if (!p->l.failed)
		ir_type_set(p->m, id, &t);
}

static void parse_unit(struct parser *p)
{
	char *path, *dir;

	if (irlex_number(&p->l, UINT32_MAX) != p->m->units.n)
		irlex_fail_last(&p->l, "the next unit is %u", p->m->units.n);
	path = parse_path(p);
	irlex_expect_word(&p->l, "dir");
	dir = parse_path(p);
	ir_add_unit(p->m, path, dir);
	free(path);
	free(dir);
}

static void parse_file(struct parser *p)
{
	uint32_t id = p->nfiles++;
	char *path;

	if (irlex_numbered(&p->l, 'f') != id)
		irlex_fail_last(&p->l, "the next file is f%u", id);
	path = parse_path(p);
	if (ir_file(p->m, path) != id)
		irlex_fail_last(&p->l, "file %s is there twice", path);
	free(path);
}

static void parse_top(struct parser *p)
{
	p->file = IR_NONE;
	if (irlex_accept_word(&p->l, "unit"))
		parse_unit(p);
	else if (irlex_accept_word(&p->l, "file"))
		parse_file(p);
	else if (irlex_accept_word(&p->l, "model"))
		vec_push(&p->m->models, parse_string(p));
	else if (p->ntypes + 1 < p->m->types.n && irlex_accept_word(&p->l, "type"))
		parse_type(p);
	else if (irlex_accept_word(&p->l, "alias"))
		parse_alias(p);
	else if (p->nglobals < p->m->globals.n && irlex_accept_word(&p->l, "global"))
		parse_global(p);
	else if (p->nfuncs < p->m->funcs.n && irlex_accept_word(&p->l, "func"))
		parse_func(p);
	else
		irlex_fail(&p->l, "expected a unit, file, model, type, global, alias or func "
			   "at the start of a line");
}

/* ---- the first pass -------------------------------------------------- */

static void enter_symbol(struct parser *p, const char *name, uint32_t unit, ir_ref r)
{
	struct symkey full = { name, unit }, bare = { name, IR_NONE };
	bool is_new;
	ir_ref *at = symbols_put(&p->symbols, full, &is_new);

	if (!is_new)
		irlex_fail_last(&p->l, "@%s is there twice in one unit", name);
	*at = r;
	at = symbols_put(&p->symbols, bare, &is_new);
	*at = is_new ? r : AMBIGUOUS;
}

/* One line that begins a type or symbol; the word is read. */
static void declare(struct parser *p, char kind)
{
	const char *name;
	uint32_t unit, id;

	if (kind == 't') {
		ir_type_reserve(p->m);
		return;
	}
	name = parse_symbol(p, &unit, 0);
	if (p->l.failed)
		return;
	if (kind == 'g') {
		id = ir_add_global(p->m, name, IR_L_DECL);
		p->m->globals.v[id].unit = unit;
		enter_symbol(p, name, unit, IR_REF(IR_R_GLOBAL, id));
	} else {
		id = ir_add_func(p->m, name, IR_L_DECL);
		p->m->funcs.v[id].unit = unit;
		enter_symbol(p, name, unit, IR_REF(IR_R_FUNC, id));
	}
}

static bool line_starts(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) > n && !memcmp(s, word, n) && (s[n] == ' ' || s[n] == '\t');
}

/* What a line declares: 't'ype, 'g'lobal, 'f'unction; 0 if none of these. */
static char line_kind(const char *s, const char *end)
{
	if (line_starts(s, end, "type"))
		return 't';
	if (line_starts(s, end, "global"))
		return 'g';
	return line_starts(s, end, "func") ? 'f' : 0;
}

static void declare_all(struct parser *p, const char *text, size_t n, const char *name)
{
	const char *end = text + n;
	unsigned line = 1;

	for (const char *s = text; s < end && !p->l.failed; line++) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		char kind = line_kind(s, end);

		nl = nl ? nl : end;
		if (kind) {
			irlex_release(&p->l);
			irlex_init(&p->l, s, (size_t)(nl - s), name);
			p->l.line = p->l.last = line;
			irlex_next(&p->l);
			declare(p, kind);
		}
		s = nl < end ? nl + 1 : end;
	}
}

/* ---- the whole ------------------------------------------------------- */

static void parse_module(struct parser *p, const char *text, size_t n, const char *name)
{
	const char head[] = TEXT_HEAD "\n";

	if (n < strlen(head) || memcmp(text, head, strlen(head))) {
		irlex_fail(&p->l, "does not begin with \"" TEXT_HEAD "\"");
		return;
	}
	declare_all(p, text, n, name);
	if (p->l.failed)
		return;
	irlex_release(&p->l);
	irlex_init(&p->l, text + strlen(head), n - strlen(head), name);
	p->l.line++;
	p->l.last++;
	while (p->l.kind != L_END && !p->l.failed)
		parse_top(p);
	if (p->nglobals != p->m->globals.n || p->nfuncs != p->m->funcs.n || p->ntypes + 1 != p->m->types.n)
		irlex_fail_last(&p->l, "ends early");
}

int ir_parse(struct ir_module **out, const char *text, size_t n, const char *name)
{
	struct parser p = {0};
	int ret;

	p.m = ir_module_new();
	irlex_init(&p.l, "", 0, name);
	parse_module(&p, text, n, name);
	assert(!p.in_body);
	ret = p.l.failed ? -1 : ir_verify(p.m);
	if (ret < 0 && !p.l.failed)
		error_prefix("%s: ", name);
	if (ret == 0) {
		*out = p.m;
		p.m = NULL;	/* now the caller's: the release below shall not free it */
	}
	ir_module_free(p.m);
	irlex_release(&p.l);
	symbols_release(&p.symbols);
	vec_release(&p.ops);
	vec_release(&p.targets);
	return ret;
}
