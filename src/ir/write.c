/*
 * write.c - a module as bytes.  code.h describes the form.
 *
 * The module is walked twice by the same code.  The first walk counts the uses of
 * strings, types, integers, ... and writes nothing; types are walked as they are
 * first used, so that what nothing refers to is left out.  Sorting by use gives
 * the tables; the second walk writes.  The order of everything follows from the
 * module's content alone: the same module gives the same bytes, and so does one
 * that was written and read again.
 */
#include "ir/io.h"

#include "ir/code.h"
#include "ir/priv.h"
#include "ir/strcode.h"

#include "base/sbuf.h"

/* ---- tables ordered by use ------------------------------------------- */

struct table {
	VEC(uint32_t) count;	/* uses of each entry */
	uint32_t *code;		/* after table_sort: its place */
	uint32_t *order;	/* the entry at each place */
	uint32_t n;		/* places: entries used at least min times */
};

static void table_release(struct table *t)
{
	vec_release(&t->count);
	free(t->code);
	free(t->order);
}

/* Counts a use; true if it is the first. */
static bool table_use(struct table *t, uint32_t i)
{
	if (i >= t->count.n)
		(void)vec_add(&t->count, i + 1 - t->count.n);
	return t->count.v[i]++ == 0;
}

struct use {
	uint32_t count, entry;
};

static int compare_uses(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Gives places to the entries used at least min times, the most used first, to
 * at most max of them; the others have code IR_NONE. */
static void table_sort(struct table *t, uint32_t min, uint32_t max)
{
	uint32_t all = t->count.n;
	struct use *uses = xcalloc(all + 1, sizeof(*uses));

	assert(!t->code && !t->n);
	for (uint32_t i = 0; i < all; i++)
		if (t->count.v[i] >= min)
			uses[t->n++] = (struct use){ t->count.v[i], i };
	qsort(uses, t->n, sizeof(*uses), compare_uses);
	t->n = MIN(t->n, max);
	t->code = xmalloc((all + 1) * sizeof(*t->code));
	t->order = xmalloc((t->n + 1) * sizeof(*t->order));
	memset(t->code, 0xff, (all + 1) * sizeof(*t->code));
	for (uint32_t i = 0; i < t->n; i++) {
		t->order[i] = uses[i].entry;
		t->code[uses[i].entry] = i;
	}
	free(uses);
}

/* ---- the writer ------------------------------------------------------ */

struct fieldkey {
	uint32_t type, member;
	int64_t imm;
};

#define MAP_NAME fieldmap
#define MAP_KEY struct fieldkey
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join((uint64_t)(k).type << 32 | (k).member, (uint64_t)(k).imm)
#define MAP_EQ(a, b) ((a).type == (b).type && (a).member == (b).member && (a).imm == (b).imm)
#include "base/map.h"

static inline uint64_t shape_head(const struct shape *s)
{
	return (uint64_t)s->op | (uint64_t)s->sub << 8 | (uint64_t)s->flags << 16 | (uint64_t)s->cls << 24 |
	       (uint64_t)s->bits << 32 | (uint64_t)s->from << 48;
}

static inline uint64_t shape_hash(const struct shape *s)
{
	return hash_join(shape_head(s), s->kinds + ((uint64_t)s->nops << 8 | s->pos) * 0x9e3779b97f4a7c15ull);
}

static inline bool shape_same(const struct shape *a, const struct shape *b)
{
	if (shape_head(a) != shape_head(b))
		return false;
	return a->kinds == b->kinds && a->nops == b->nops && a->pos == b->pos;
}

#define MAP_NAME shapemap
#define MAP_KEY struct shape
#define MAP_VAL uint32_t
#define MAP_HASH(k) shape_hash(&(k))
#define MAP_EQ(a, b) shape_same(&(a), &(b))
#include "base/map.h"

struct writer {
	const struct ir_module *m;
	bool counting;
	struct sbuf out;

	struct ir_ptrmap strmap;	/* string -> entry of strings */
	struct fieldmap fieldmap;
	struct shapemap shapemap;
	struct table strings, files, types, ints, addrs, fields, shapes;
	VEC(uint32_t) todo;		/* counting: types used but not yet walked */
	VEC(const char *) once;		/* writing: strings used once, in order */

	/* What the next thing is coded against; the reader keeps the same. */
	uint32_t gnext, fnext;		/* first symbols not yet named by an operand */
	uint32_t unit;
	struct ir_pos pos;
	int64_t number;			/* of the last numbered name */
};

static void put_byte(struct writer *w, unsigned x)
{
	if (!w->counting)
		sbuf_addc(&w->out, (char)x);
}

static void put(struct writer *w, uint64_t x)
{
	char buf[10];
	size_t n = 0;

	if (w->counting)
		return;
	for (; x >= 0x80; x >>= 7)
		buf[n++] = (char)(x | 0x80);
	buf[n++] = (char)x;
	sbuf_add(&w->out, buf, n);
}

static void put_signed(struct writer *w, int64_t x)
{
	put(w, zigzag(x));
}

static void put_string(struct writer *w, const char *s)
{
	uint32_t *entry, i;
	bool is_new;

	entry = ir_ptrmap_put(&w->strmap, s, &is_new);
	if (is_new)
		*entry = w->strmap.n - 1;
	i = *entry;
	assert(w->counting || i < w->strings.count.n);	/* the first walk met all strings */
	if (w->counting) {
		table_use(&w->strings, i);
	} else if (w->strings.code[i] != IR_NONE) {
		put(w, w->strings.code[i] + 1);
	} else {
		put(w, 0);
		vec_push(&w->once, s);
	}
}

/* An index into one of the tables. */
static void put_index(struct writer *w, struct table *t, uint32_t i)
{
	if (w->counting) {
		table_use(t, i);
	} else {
		assert(t->code[i] != IR_NONE);
		put(w, t->code[i]);
	}
}

static void put_type(struct writer *w, uint32_t type)
{
	if (w->counting) {
		if (type && table_use(&w->types, type))
			vec_push(&w->todo, type);
	} else {
		assert(!type || w->types.code[type] != IR_NONE);
		put(w, type ? w->types.code[type] + 1 : 0);
	}
}

/* File, line and column; a file number is coded + 1. */
static void put_full_pos(struct writer *w, struct ir_pos pos)
{
	if (pos.file == IR_NONE) {
		put(w, 0);
		return;
	}
	assert(w->counting || w->files.code[pos.file] != IR_NONE);
	if (w->counting)
		table_use(&w->files, pos.file);
	else
		put(w, w->files.code[pos.file] + 1);
	put(w, pos.line);
	put(w, pos.col);
}

static int64_t line_diff(struct ir_pos a, struct ir_pos b)
{
	return (int64_t)a.line - b.line;
}

/* ---- operands -------------------------------------------------------- */

static enum opk vreg_kind(uint32_t i, uint32_t next)
{
	if (i >= next)
		return OPK_FWD;
	if (next - i == 1)
		return OPK_PREV;
	return next - i == 2 ? OPK_PREV2 : OPK_VREG;
}

/* clang makes literals and declarations in the order of their first use. */
static bool symbol_is_next(uint32_t *next, uint32_t i)
{
	bool is_next = i == *next;

	*next = MAX(*next, i + 1);
	return is_next;
}

/* How to code a ref, where next is the next result's vreg. */
static enum opk ref_kind(struct writer *w, ir_ref r, uint32_t next)
{
	uint32_t i = IR_IDX(r);

	switch (IR_KIND(r)) {
	case IR_R_VREG:
		return vreg_kind(i, next);
	case IR_R_SLOT:
		return OPK_SLOT;
	case IR_R_GLOBAL:
		return symbol_is_next(&w->gnext, i) ? OPK_GNEXT : OPK_GLOBAL;
	case IR_R_FUNC:
		return symbol_is_next(&w->fnext, i) ? OPK_FNEXT : OPK_FUNC;
	case IR_R_INT:
		return OPK_INT;
	case IR_R_ADDR:
		return OPK_ADDR;
	case IR_R_SPECIAL:
		break;
	}
	if (r == IR_NULL)
		return OPK_NULL;
	return r == IR_UNDEF ? OPK_UNDEF : OPK_CONST;
}

static void put_ref(struct writer *w, enum opk k, ir_ref r, uint32_t next)
{
	uint32_t i = IR_IDX(r);

	switch (k) {
	case OPK_VREG:
		assert(i < next);
		put(w, next - i);
		break;
	case OPK_FWD:
		assert(i >= next);
		put(w, i - next);
		break;
	case OPK_SLOT:
	case OPK_GLOBAL:
	case OPK_FUNC:
		put(w, i);
		break;
	case OPK_INT:
		put_index(w, &w->ints, i);
		break;
	case OPK_ADDR:
		put_index(w, &w->addrs, i);
		break;
	default:
		break;
	}
}

/* A ref with its kind before it. */
static void put_tagged_ref(struct writer *w, ir_ref r, uint32_t next)
{
	enum opk k = ref_kind(w, r, next);

	put_byte(w, k);
	put_ref(w, k, r, next);
}

/* ---- instructions ---------------------------------------------------- */

/* A class with its width; extra has the two high bits. */
static void put_class(struct writer *w, unsigned cls, unsigned bits, unsigned extra)
{
	unsigned width = code_width(bits);

	assert(cls < 8 && extra < 4);
	put_byte(w, cls | width << 3 | extra << 6);
	if (width == WIDTH_OTHER)
		put(w, bits);
}

static_assert(IR__OPS <= 32 && OPK__COUNT <= 16, "opcodes have 5 bits, kinds of operands 4");

static void put_shape(struct writer *w, const struct shape *s)
{
	assert(s->pos < 4 && s->nops <= SHAPE_LONG);
	put_byte(w, s->op | s->pos << 5 | (s->flags != 0) << 7);
	if (s->flags)
		put_byte(w, s->flags);
	put_class(w, s->cls, s->bits, 0);
	if (op_has_sub(s->op))
		put_byte(w, s->sub);
	if (s->op == IR_CAST)
		put(w, s->from);
	if (ir_opinfo[s->op].nops < 0)
		put_byte(w, s->nops);
	for (unsigned i = 0; s->nops != SHAPE_LONG && i < s->nops; i += 2)
		put_byte(w, s->kinds >> 4 * i & 0xff);
}

static enum posk pos_kind(struct ir_pos pos, struct ir_pos prev)
{
	if (pos.file != prev.file)
		return POSK_FULL;
	if (pos.line != prev.line)
		return pos.file == IR_NONE ? POSK_FULL : POSK_LINE;
	return pos.col != prev.col ? POSK_COL : POSK_SAME;
}

static struct shape shape_of(struct writer *w, const struct ir_inst *in, uint32_t next)
{
	struct shape s = {
		.op = in->op, .sub = in->sub, .flags = in->flags, .cls = in->cls,
		.bits = in->bits, .from = in->from, .pos = pos_kind(in->pos, w->pos),
	};

	if (in->nops > SHAPE_OPS || in->op == IR_SWITCH) {
		s.nops = SHAPE_LONG;
		return s;
	}
	s.nops = (uint8_t)in->nops;
	for (uint32_t i = 0; i < in->nops; i++)
		s.kinds |= (uint64_t)ref_kind(w, in->ops[i], next) << 4 * i;
	return s;
}

/* The number of the shape, or the shape itself. */
static void put_shape_ref(struct writer *w, const struct shape *s)
{
	bool is_new;
	uint32_t *entry = shapemap_put(&w->shapemap, *s, &is_new), code;

	if (is_new)
		*entry = w->shapemap.n - 1;
	if (w->counting) {
		table_use(&w->shapes, *entry);
		return;
	}
	code = w->shapes.code[*entry];
	if (code < SHAPE_BYTE) {
		put_byte(w, code);
	} else if (code != IR_NONE) {
		put_byte(w, SHAPE_BYTE + (code - SHAPE_BYTE) / 256);
		put_byte(w, (code - SHAPE_BYTE) % 256);
	} else {
		put_byte(w, SHAPE_INLINE);
		put_shape(w, s);
	}
}

static void put_operands(struct writer *w, const struct ir_inst *in, const struct shape *s, uint32_t next)
{
	if (s->nops == SHAPE_LONG) {
		put(w, in->nops);
		for (uint32_t i = 0; i < in->nops; i++)
			put_tagged_ref(w, in->ops[i], next);
	} else {
		for (uint32_t i = 0; i < in->nops; i++)
			put_ref(w, s->kinds >> 4 * i & 15, in->ops[i], next);
	}
}

/* Number in the table of fields; for most the reader takes the offset from the struct's type. */
static void put_field_use(struct writer *w, const struct ir_inst *in)
{
	struct fieldkey key = { in->type, in->member, in->imm };
	bool is_new;
	uint32_t *entry = fieldmap_put(&w->fieldmap, key, &is_new);

	if (is_new)
		*entry = w->fieldmap.n - 1;
	put_index(w, &w->fields, *entry);
}

static void put_inst_pos(struct writer *w, enum posk k, struct ir_pos pos)
{
	if (k == POSK_FULL)
		put_full_pos(w, pos);
	if (k == POSK_LINE)
		put_signed(w, line_diff(pos, w->pos));
	if (k == POSK_LINE || k == POSK_COL)
		put(w, pos.col);
	w->pos = pos;
}

static void put_inst(struct writer *w, const struct ir_inst *in, uint32_t next)
{
	struct shape s = shape_of(w, in, next);

	put_shape_ref(w, &s);
	put_operands(w, in, &s, next);
	if (op_has_imm(in->op))
		put_signed(w, in->imm);
	else if (in->op == IR_FIELD)
		put_field_use(w, in);
	if (in->op != IR_PHI) {
		if (in->op == IR_GOTO)
			put(w, in->ntargets);
		for (uint32_t i = 0; i < in->ntargets; i++)
			put_signed(w, (int64_t)in->targets[i] - in->block - 1);
	}
	put_inst_pos(w, s.pos, in->pos);
}

static void put_slot(struct writer *w, const struct ir_slot *s)
{
	bool sized = s->size != w->m->types.v[ir_type_strip(w->m, s->type)].size;
	unsigned head = s->flags;
	enum slotk k;

	assert(head < SLOT_SIZE);
	if (s->pos.file == IR_NONE)
		k = SLOTK_NONE;
	else if (s->pos.file != w->pos.file)
		k = SLOTK_FULL;
	else
		k = s->pos.col ? SLOTK_COL : SLOTK_LINE;
	head |= sized ? SLOT_SIZE : 0;
	head |= s->param ? SLOT_PARAM : 0;
	put_byte(w, head | k << SLOT_POS_SHIFT);
	if (!(s->flags & IR_S_TEMP))
		put_string(w, s->name);
	put_type(w, s->type);
	if (sized)
		put(w, s->size);
	if (s->param)
		put(w, s->param);
	if (k == SLOTK_NONE)
		return;
	if (k == SLOTK_FULL) {
		put_full_pos(w, s->pos);
	} else {
		put_signed(w, line_diff(s->pos, w->pos));
		if (k == SLOTK_COL)
			put(w, s->pos.col);
	}
	w->pos = s->pos;
}

static void put_body(struct writer *w, const struct ir_func *f)
{
	uint32_t next = f->nparams;

	w->pos = f->pos;
	put(w, f->nslots);
	put(w, f->ninsts);
	put(w, f->nblocks);
	for (uint32_t i = 0; i < f->nslots; i++)
		put_slot(w, &f->slots[i]);
	w->pos = f->pos;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		put_inst(w, &f->insts[i], next);
		if (f->insts[i].res != IR_NONE)
			next++;
	}
}

/* ---- symbols --------------------------------------------------------- */

static void put_unit_of(struct writer *w, uint32_t unit)
{
	if (w->m->units.n > 1)
		put_signed(w, (int64_t)unit - w->unit);
	w->unit = unit;
}

/* A symbol's position, against the symbol before. */
static void put_symbol_pos(struct writer *w, struct ir_pos pos)
{
	if (pos.file == IR_NONE)
		return;
	if (pos.file == w->pos.file) {
		put_signed(w, line_diff(pos, w->pos));
		put(w, pos.col);
	} else {
		put_full_pos(w, pos);
	}
	w->pos = pos;
}

/* If name is "base.number", as clang numbers literals, gives the number and the
 * length of the base; else -1. */
static int64_t name_number(const char *name, size_t *base)
{
	const char *dot = strrchr(name, '.'), *p;
	int64_t x = 0;

	if (!dot || dot[1] < '1' || dot[1] > '9' || strlen(dot + 1) > 9)
		return -1;
	for (p = dot + 1; *p >= '0' && *p <= '9'; p++)
		x = x * 10 + (*p - '0');
	*base = (size_t)(dot - name);
	return *p ? -1 : x;
}

/* The interned string of a numbered name's base, if the module has it. */
static const char *name_base(struct writer *w, const char *name, int64_t *number)
{
	char buf[64];
	size_t n;

	*number = name_number(name, &n);
	if (*number < 0 || n >= sizeof(buf))
		return NULL;
	memcpy(buf, name, n);
	buf[n] = '\0';
	return ir__find_string(w->m, buf);
}

static void put_init(struct writer *w, const struct ir_init *in, uint64_t *end)
{
	enum opk k = ref_kind(w, in->value, 0);
	unsigned width = in->size > 16 ? WIDTH_OTHER : code_width(in->size * 8u);
	bool gap = in->offset != *end;

	put_byte(w, k | (gap ? INIT_GAP : 0) | width << INIT_SIZE_SHIFT);
	if (gap)
		put_signed(w, (int64_t)(in->offset - *end));
	if (width == WIDTH_OTHER)
		put(w, in->size);
	put_ref(w, k, in->value, 0);
	*end = in->offset + in->size;
}

static void put_global(struct writer *w, const struct ir_global *g)
{
	uint64_t end = 0, head = g->linkage | (uint64_t)g->flags << GLOBAL_FLAGS_SHIFT;
	const char *base;
	int64_t number;

	assert(g->linkage < 8);
	base = name_base(w, g->name, &number);
	head |= g->src != g->name ? GLOBAL_SRC : 0;
	head |= g->text ? GLOBAL_TEXT : 0;
	head |= g->ninits ? GLOBAL_INITS : 0;
	head |= base ? GLOBAL_NUMBERED : 0;
	if (g->size != w->m->types.v[ir_type_strip(w->m, g->type)].size)
		head |= GLOBAL_SIZE;
	if (g->pos.file != IR_NONE)
		head |= g->pos.file == w->pos.file ? GLOBAL_POS : GLOBAL_FULL;
	put(w, head);
	put_string(w, base ? base : g->name);
	if (base) {
		put_signed(w, number - w->number - 1);
		w->number = number;
	}
	if (g->src != g->name)
		put_string(w, g->src);
	put_type(w, g->type);
	if (head & GLOBAL_SIZE)
		put(w, g->size);
	put_unit_of(w, g->unit);
	if (g->flags & IR_G_LOCAL)
		put(w, (uint32_t)(g->func + 1));
	put_symbol_pos(w, g->pos);
	if (g->text)
		put_string(w, g->text);
	if (g->ninits)
		put(w, g->ninits);
	for (uint32_t i = 0; i < g->ninits; i++)
		put_init(w, &g->inits[i], &end);
}

static void put_func(struct writer *w, const struct ir_func *f)
{
	uint64_t head = f->linkage | (uint64_t)f->flags << FUNC_FLAGS_SHIFT;

	assert(f->linkage < 8);
	head |= f->src != f->name ? FUNC_SRC : 0;
	head |= ir_is_decl(f) ? 0 : FUNC_BODY;
	if (f->pos.file != IR_NONE)
		head |= f->pos.file == w->pos.file ? FUNC_POS : FUNC_FULL;
	put(w, head);
	put_string(w, f->name);
	if (f->src != f->name)
		put_string(w, f->src);
	put_type(w, f->type);
	put_unit_of(w, f->unit);
	put_symbol_pos(w, f->pos);
	put_class(w, f->ret_cls, f->ret_bits, 0);
	put(w, f->nparams);
	for (uint32_t i = 0; i < f->nparams; i++) {
		const struct ir_param *p = &f->params[i];
		unsigned extra = p->sret ? 1 : 0;

		extra |= p->byval ? 2 : 0;
		put_class(w, p->cls, p->bits, extra);
	}
}

static void put_symbols(struct writer *w)
{
	const struct ir_module *m = w->m;

	w->gnext = w->fnext = w->unit = 0;
	w->number = 0;
	w->pos = (struct ir_pos){ .file = IR_NONE };
	for (uint32_t i = 0; i < m->globals.n; i++)
		put_global(w, &m->globals.v[i]);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		put_func(w, &m->funcs.v[i]);
	put(w, m->aliases.n);
	for (uint32_t i = 0; i < m->aliases.n; i++) {
		const struct ir_alias *a = &m->aliases.v[i];

		put(w, a->linkage);
		put_string(w, a->name);
		put_unit_of(w, a->unit);
		put_tagged_ref(w, a->target, 0);
	}
	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (!ir_is_decl(&m->funcs.v[i]))
			put_body(w, &m->funcs.v[i]);
}

/* ---- tables ---------------------------------------------------------- */

static void put_fields(struct writer *w, const struct ir_type *t)
{
	uint64_t prev = 0;

	put(w, t->nfields);
	for (uint32_t i = 0; i < t->nfields; i++) {
		const struct ir_field *f = &t->fields[i];
		bool is_bits = f->bit_offset || f->bit_size;

		put_type(w, f->type);
		if (t->kind == IR_T_FUNC)
			continue;
		put_string(w, f->name);
		put(w, zigzag((int64_t)(f->offset - prev)) << 1 | is_bits);
		prev = f->offset;
		if (is_bits) {
			put(w, f->bit_offset);
			put(w, f->bit_size);
		}
	}
}

static void put_type_body(struct writer *w, const struct ir_type *t)
{
	bool sized = t->size != (t->kind == IR_T_PTR ? PTR_SIZE : 0);
	bool has_range = t->kind == IR_T_ENUM && t->count;
	unsigned head = t->kind;

	assert(t->kind < TYPE_NAME);
	head |= *t->name ? TYPE_NAME : 0;
	head |= t->flags ? TYPE_FLAGS : 0;
	head |= sized ? TYPE_SIZE : 0;
	head |= t->nfields || has_range ? TYPE_FIELDS : 0;
	put_byte(w, head);
	if (*t->name)
		put_string(w, t->name);
	if (t->flags)
		put_byte(w, t->flags);
	if (sized)
		put(w, t->size);
	if (type_has_elem(t->kind))
		put_type(w, t->elem);
	if (t->kind == IR_T_ARRAY)
		put(w, t->count);
	if (has_range) {
		put(w, t->count);
		put(w, zigzag(t->first));
	}
	if (t->nfields)
		put_fields(w, t);
}

static void put_field_table(struct writer *w)
{
	put(w, w->fields.n);
	for (uint32_t i = 0; i < w->fields.n; i++) {
		struct fieldkey k = w->fieldmap.e[w->fields.order[i]].key;
		const struct ir_type *t = &w->m->types.v[ir_type_strip(w->m, k.type)];
		bool implied = k.member < t->nfields && (int64_t)t->fields[k.member].offset == k.imm;

		put_type(w, k.type);
		put(w, (uint64_t)(uint32_t)(k.member + 1) << 1 | !implied);
		if (!implied)
			put_signed(w, k.imm);
	}
}

/* Units, models: what is not sorted by use. */
static void put_units(struct writer *w)
{
	const struct ir_module *m = w->m;

	put(w, m->units.n);
	for (uint32_t i = 0; i < m->units.n; i++) {
		put_string(w, m->units.v[i].path);
		put_string(w, m->units.v[i].dir);
		put_string(w, m->units.v[i].flags);
		if (m->units.n > 1)	/* of a single unit it is the record's own checksum */
			put(w, m->units.v[i].hash);
	}
	put(w, m->models.n);
	for (uint32_t i = 0; i < m->models.n; i++)
		put_string(w, m->models.v[i]);
}

static void put_tables(struct writer *w)
{
	const struct ir_module *m = w->m;

	put(w, w->files.n);
	for (uint32_t i = 0; i < w->files.n; i++)
		put_string(w, m->files.v[w->files.order[i]]);
	put_units(w);
	put(w, w->types.n);
	for (uint32_t i = 0; i < w->types.n; i++)
		put_type_body(w, &m->types.v[w->types.order[i]]);
	put(w, w->ints.n);
	for (uint32_t i = 0; i < w->ints.n; i++)
		put_signed(w, m->ints.v[w->ints.order[i]]);
	put(w, m->globals.n);
	put(w, m->funcs.n);
	put(w, w->addrs.n);
	for (uint32_t i = 0; i < w->addrs.n; i++) {
		const struct ir_addr *a = &m->addrs.v[w->addrs.order[i]];

		put(w, (uint64_t)IR_IDX(a->base) << 1 | (IR_KIND(a->base) == IR_R_FUNC));
		put_signed(w, a->offset);
	}
	put_field_table(w);
	put(w, w->shapes.n);
	for (uint32_t i = 0; i < w->shapes.n; i++)
		put_shape(w, &w->shapemap.e[w->shapes.order[i]].key);
}

/* The first walk.  Tables refer to types and strings as well, so that the order
 * here differs from that of the record; only counts come of it. */
static void count_all(struct writer *w)
{
	w->counting = true;
	put_symbols(w);
	for (uint32_t i = 0; i < w->fieldmap.n; i++)
		put_type(w, w->fieldmap.e[i].key.type);
	while (w->todo.n)
		put_type_body(w, &w->m->types.v[vec_pop(&w->todo)]);
	for (uint32_t i = 0; i < w->files.count.n; i++)
		if (w->files.count.v[i])
			put_string(w, w->m->files.v[i]);
	put_units(w);
	w->counting = false;
	assert(!w->out.n && !w->once.n);
	table_sort(&w->strings, 2, UINT32_MAX);
	table_sort(&w->files, 1, UINT32_MAX);
	table_sort(&w->types, 1, UINT32_MAX);
	table_sort(&w->ints, 1, UINT32_MAX);
	table_sort(&w->addrs, 1, UINT32_MAX);
	table_sort(&w->fields, 1, UINT32_MAX);
	table_sort(&w->shapes, 2, SHAPE_MAX);
}

/* The string section: it can only be written last. */
static void put_strings(struct writer *w)
{
	put(w, w->strings.n);
	put(w, w->once.n);
	for (uint32_t i = 0; i < w->strings.n; i++)
		strcode_put(&w->out, &w->strmap.e[w->strings.order[i]].key, 1);
	assert(w->strings.n + w->once.n == w->strmap.n);	/* each string is in one of the two lists */
	strcode_put(&w->out, w->once.v, w->once.n);
}

static void store(unsigned char *p, uint64_t x, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (unsigned char)(x >> 8 * i);
}

static void put_record(struct sbuf *out, const struct sbuf *body)
{
	unsigned char head[HEADER_SIZE] = IR_MAGIC;

	store(head + 8, IR_VERSION, 4);
	store(head + 16, body->n, 8);
	store(head + 24, hash_bytes(body->s, body->n, 0), 8);
	sbuf_add(out, head, sizeof(head));
	sbuf_add(out, body->s, body->n);
	for (size_t n = body->n; n % 8; n++)
		sbuf_addc(out, 0);
}

/* Appends the body of the record to out. */
static void make_body(struct sbuf *out, const struct ir_module *m)
{
	struct writer w = { .m = m };
	struct sbuf rest;

	count_all(&w);
	put_tables(&w);
	put_symbols(&w);
	rest = w.out;
	w.out = *out;
	put_strings(&w);
	sbuf_add(&w.out, rest.s, rest.n);
	*out = w.out;

	sbuf_release(&rest);
	ir_ptrmap_release(&w.strmap);
	fieldmap_release(&w.fieldmap);
	shapemap_release(&w.shapemap);
	table_release(&w.strings);
	table_release(&w.files);
	table_release(&w.types);
	table_release(&w.ints);
	table_release(&w.addrs);
	table_release(&w.fields);
	table_release(&w.shapes);
	vec_release(&w.todo);
	vec_release(&w.once);
}

void ir_write(const struct ir_module *m, struct sbuf *out)
{
	struct sbuf body = {0};

	make_body(&body, m);
	put_record(out, &body);
	sbuf_release(&body);
}

uint64_t ir__content_hash(const struct ir_module *m)
{
	struct sbuf body = {0};
	uint64_t h;

	make_body(&body, m);
	h = hash_bytes(body.s, body.n, 0);
	sbuf_release(&body);
	return h;
}
