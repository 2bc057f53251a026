/*
 * read.c - a module from bytes.  code.h describes the form.
 *
 * The bytes may be anything: a cut file, a flipped bit that the checksum does not
 * see, a record made to hurt.  So every count is compared with the bytes that are
 * left before anything is allocated for it (each thing counted takes at least a
 * byte), what the decoder itself relies on is checked where it is read, and what
 * others rely on is left to ir_verify() at the end.  After the first error all
 * further numbers read as 0, so that loops end without asking after each number.
 *
 * Operands and targets come from pools, instructions and slots in one array for
 * each function: a program of a million instructions needs few allocations.
 */
#include "ir/io.h"

#include "ir/code.h"
#include "ir/priv.h"
#include "ir/strcode.h"

#include "base/error.h"
#include "base/sbuf.h"

struct fielduse {
	uint32_t type, member;
	int64_t imm;
};

struct reader {
	struct ir_module *m;
	const unsigned char *p, *end;
	unsigned version;
	const char *error;		/* NULL as long as all is well */

	const char **strings;		/* used more than once */
	const char **once;
	uint32_t nstrings, nonce, next_once;
	struct shape *shapes;
	uint32_t nshapes;
	struct fielduse *fields;
	uint32_t nfields;
	ir_ref *pool;			/* for operands and targets */
	size_t pool_left;

	/* as in the writer */
	uint32_t gnext, fnext;
	uint32_t unit;
	struct ir_pos pos;
	int64_t number;
};

static void fail(struct reader *r, const char *error)
{
	assert(r->p <= r->end);
	if (!r->error)
		r->error = error;
	r->p = r->end;
}

static size_t left(const struct reader *r)
{
	return (size_t)(r->end - r->p);
}

static unsigned get_byte(struct reader *r)
{
	if (r->p == r->end) {
		fail(r, "ends early");
		return 0;
	}
	return *r->p++;
}

static uint64_t get_slowly(struct reader *r)
{
	uint64_t x = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		unsigned b = get_byte(r);

		x |= (uint64_t)(b & 0x7f) << shift;
		if (b < 0x80)
			return x;
	}
	fail(r, "number too long");
	return 0;
}

static inline uint64_t get(struct reader *r)
{
	if (r->p < r->end && *r->p < 0x80)
		return *r->p++;
	return get_slowly(r);
}

static int64_t get_signed(struct reader *r)
{
	return unzigzag(get(r));
}

/* A number that must be below limit; 0 after an error. */
static uint32_t get_below(struct reader *r, uint64_t limit, const char *what)
{
	uint64_t x = get(r);

	if (x < limit)
		return (uint32_t)x;
	fail(r, what);
	return 0;
}

/* The length of a table whose entries take at least a byte each. */
static uint32_t get_count(struct reader *r)
{
	return get_below(r, MIN(left(r) + 1, IR_MAX_IDX), "count beyond the end");
}

static const char *get_string(struct reader *r)
{
	uint64_t k = get(r);

	if (k == 0 && r->next_once < r->nonce)
		return r->once[r->next_once++];
	if (k > 0 && k <= r->nstrings)
		return r->strings[k - 1];
	fail(r, "bad string number");
	return "";
}

/* m->types has all types before any of them is read; those not yet read are unknown. */
static uint32_t get_type(struct reader *r)
{
	return get_below(r, r->m->types.n, "bad type number");
}

static struct ir_pos get_full_pos(struct reader *r)
{
	struct ir_pos pos = { .file = get_below(r, (uint64_t)r->m->files.n + 1, "bad file number") - 1 };

	if (pos.file != IR_NONE) {
		pos.line = get_below(r, (uint64_t)UINT32_MAX + 1, "bad line");
		pos.col = (uint16_t)get_below(r, UINT16_MAX + 1, "bad column");
	}
	return pos;
}

static uint32_t get_line(struct reader *r, struct ir_pos prev)
{
	return prev.line + (uint32_t)get_signed(r);
}

static uint16_t get_col(struct reader *r)
{
	return (uint16_t)get_below(r, UINT16_MAX + 1, "bad column");
}

/* ---- operands -------------------------------------------------------- */

/* n words of the arena that stay together. */
static uint32_t *take(struct reader *r, uint32_t n)
{
	uint32_t *p;

	if (n > r->pool_left) {
		r->pool_left = MAX(n, 16384);
		r->pool = arena_array(&r->m->arena, uint32_t, r->pool_left);
	}
	p = r->pool;
	r->pool += n;
	r->pool_left -= n;
	return p;
}

static ir_ref indexed(struct reader *r, enum ir_rkind kind, uint64_t limit)
{
	return IR_REF(kind, get_below(r, MIN(limit, (uint64_t)IR_MAX_IDX + 1), "bad operand"));
}

static ir_ref symbol(struct reader *r, enum ir_rkind kind, uint32_t *next, uint32_t limit, bool is_next)
{
	uint32_t i = is_next ? *next : get_below(r, limit, "bad symbol number");

	if (i >= limit) {
		fail(r, "bad symbol number");
		return IR_UNDEF;
	}
	*next = MAX(*next, i + 1);
	return IR_REF(kind, i);
}

static ir_ref back(struct reader *r, uint32_t next, uint64_t distance)
{
	if (distance == 0 || distance > next) {
		fail(r, "bad operand");
		return IR_UNDEF;
	}
	return IR_VREG(next - (uint32_t)distance);
}

static ir_ref forward(struct reader *r, uint32_t next)
{
	uint64_t x = get(r);

	if (x > IR_MAX_IDX - next) {
		fail(r, "bad operand");
		return IR_UNDEF;
	}
	return IR_VREG(next + (uint32_t)x);
}

/* next: the next result's vreg.  Vregs and slots are checked by ir_verify(). */
static ir_ref get_ref(struct reader *r, enum opk k, uint32_t next)
{
	switch (k) {
	case OPK_VREG:
		return back(r, next, get(r));
	case OPK_PREV:
		return back(r, next, 1);
	case OPK_PREV2:
		return back(r, next, 2);
	case OPK_FWD:
		return forward(r, next);
	case OPK_SLOT:
		return indexed(r, IR_R_SLOT, UINT32_MAX);
	case OPK_GLOBAL:
	case OPK_GNEXT:
		return symbol(r, IR_R_GLOBAL, &r->gnext, r->m->globals.n, k == OPK_GNEXT);
	case OPK_FUNC:
	case OPK_FNEXT:
		return symbol(r, IR_R_FUNC, &r->fnext, r->m->funcs.n, k == OPK_FNEXT);
	case OPK_INT:
		return indexed(r, IR_R_INT, r->m->ints.n);
	case OPK_ADDR:
		return indexed(r, IR_R_ADDR, r->m->addrs.n);
	case OPK_NULL:
		return IR_NULL;
	case OPK_UNDEF:
		return IR_UNDEF;
	case OPK_CONST:
		return IR_CONST;
	case OPK__COUNT:
		break;
	}
	fail(r, "bad operand kind");
	return IR_UNDEF;
}

static ir_ref get_tagged_ref(struct reader *r, uint32_t next)
{
	return get_ref(r, get_byte(r), next);
}

/* ---- instructions ---------------------------------------------------- */

/* The class in the low bits of the byte; the width may follow. */
static uint8_t get_class(struct reader *r, uint16_t *bits, unsigned *extra)
{
	unsigned b = get_byte(r), width = b >> 3 & 7;

	if (width == WIDTH_OTHER)
		*bits = (uint16_t)get_below(r, UINT16_MAX + 1, "bad width");
	else
		*bits = code_widths[width];
	*extra = b >> 6;
	return b & 7;
}

/* Leaves op, nops and the operand kinds in range. */
static void get_shape(struct reader *r, struct shape *s)
{
	unsigned b = get_byte(r), extra;

	memset(s, 0, sizeof(*s));
	s->op = b & 31;
	s->pos = b >> 5 & 3;
	if (s->op >= IR__OPS) {
		fail(r, "bad opcode");
		s->op = IR_UNREACHABLE;
	}
	if (b & 128)
		s->flags = (uint8_t)get_byte(r);
	s->cls = get_class(r, &s->bits, &extra);
	if (op_has_sub(s->op))
		s->sub = (uint8_t)get_byte(r);
	if (s->op == IR_CAST)
		s->from = (uint16_t)get_below(r, UINT16_MAX + 1, "bad width");
	s->nops = (uint8_t)ir_opinfo[s->op].nops;
	if (ir_opinfo[s->op].nops < 0)
		s->nops = (uint8_t)get_byte(r);
	if (s->nops > SHAPE_LONG) {
		fail(r, "bad number of operands");
		s->nops = 0;
	}
	for (unsigned i = 0; s->nops != SHAPE_LONG && i < s->nops; i += 2)
		s->kinds |= (uint64_t)get_byte(r) << 4 * i;
}

/* The shape of the next instruction; tmp holds it if it is in no table. */
static const struct shape *get_shape_ref(struct reader *r, struct shape *tmp)
{
	uint32_t i = get_byte(r);

	if (i == SHAPE_INLINE) {
		get_shape(r, tmp);
		return tmp;
	}
	if (i >= SHAPE_BYTE)
		i = SHAPE_BYTE + (i - SHAPE_BYTE) * 256 + get_byte(r);
	if (i >= r->nshapes) {
		fail(r, "bad shape number");
		tmp->op = IR_UNREACHABLE;
		tmp->nops = 0;
		return tmp;
	}
	return &r->shapes[i];
}

static void get_operands(struct reader *r, struct ir_inst *in, const struct shape *s, uint32_t next)
{
	uint64_t kinds = s->kinds;

	in->nops = s->nops;
	if (s->nops == SHAPE_LONG)
		in->nops = get_count(r);
	if (!in->nops)
		return;
	in->ops = take(r, in->nops);
	if (s->nops == SHAPE_LONG) {
		for (uint32_t i = 0; i < in->nops; i++)
			in->ops[i] = get_tagged_ref(r, next);
	} else {
		for (uint32_t i = 0; i < in->nops; i++, kinds >>= 4)
			in->ops[i] = get_ref(r, kinds & 15, next);
	}
}

static void get_field_use(struct reader *r, struct ir_inst *in)
{
	uint32_t i = get_below(r, r->nfields, "bad field number");

	if (r->error)
		return;
	in->type = r->fields[i].type;
	in->member = r->fields[i].member;
	in->imm = r->fields[i].imm;
}

static void get_targets(struct reader *r, struct ir_inst *in, uint32_t nblocks)
{
	int n = op_targets(in->op, in->nops);

	in->ntargets = n < 0 ? get_count(r) : (uint32_t)n;
	if (in->ntargets > left(r)) {
		fail(r, "ends early");
		in->ntargets = 0;
	}
	if (!in->ntargets)
		return;
	in->targets = take(r, in->ntargets);
	for (uint32_t i = 0; i < in->ntargets; i++) {
		int64_t t = get_signed(r);

		if (t < -(int64_t)in->block - 1 || t >= (int64_t)nblocks - in->block - 1) {
			fail(r, "bad target block");
			t = -1;
		}
		in->targets[i] = (uint32_t)(in->block + 1 + t);
	}
}

static void get_inst_pos(struct reader *r, enum posk k, struct ir_pos *pos)
{
	switch (k) {
	case POSK_SAME:
		break;
	case POSK_LINE:
		r->pos.line = get_line(r, r->pos);
		r->pos.col = get_col(r);
		break;
	case POSK_COL:
		r->pos.col = get_col(r);
		break;
	case POSK_FULL:
		r->pos = get_full_pos(r);
		break;
	}
	*pos = r->pos;
}

/* Reads one instruction of block in->block; in is zeroed otherwise. */
static void get_inst(struct reader *r, struct ir_inst *in, uint32_t next, uint32_t nblocks)
{
	struct shape tmp;
	const struct shape *s = get_shape_ref(r, &tmp);

	in->op = s->op;
	in->sub = s->sub;
	in->flags = s->flags;
	in->cls = s->cls;
	in->bits = s->bits;
	in->from = s->from;
	in->res = ir_opinfo[in->op].has_res && in->cls != IR_C_VOID ? next : IR_NONE;
	in->member = IR_NONE;
	get_operands(r, in, s, next);
	if (op_has_imm(in->op))
		in->imm = get_signed(r);
	else if (in->op == IR_FIELD)
		get_field_use(r, in);
	if (ir_opinfo[in->op].is_term)
		get_targets(r, in, nblocks);
	get_inst_pos(r, s->pos, &in->pos);
}

/* The instructions; a block ends with each terminator. */
static void get_insts(struct reader *r, struct ir_func *f)
{
	uint32_t block = 0, next = f->nparams;

	for (uint32_t i = 0; i < f->ninsts && !r->error; i++) {
		struct ir_inst *in = &f->insts[i];

		in->block = block;
		get_inst(r, in, next, f->nblocks);
		if (in->res != IR_NONE)
			next++;
		if (f->blocks[block].n++ == 0)
			f->blocks[block].first = i;
		if (ir_is_term(in) && ++block == f->nblocks && i + 1 < f->ninsts)
			fail(r, "more blocks than announced");
	}
	if (!r->error && block != f->nblocks)
		fail(r, "fewer blocks than announced");
	f->nvregs = next;
}

/* The operands of a PHI stand in the order of the predecessors. */
static void finish_phis(struct reader *r, struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct ir_inst *in = &f->insts[i];
		const struct ir_block *b = &f->blocks[in->block];

		if (in->op != IR_PHI)
			continue;
		if (in->nops != b->npred) {
			fail(r, "phi does not match its block");
			return;
		}
		in->targets = b->pred;
		in->ntargets = b->npred;
	}
}

static void get_slot(struct reader *r, struct ir_slot *s)
{
	unsigned head = get_byte(r), k = head >> SLOT_POS_SHIFT;

	s->flags = head & 15;
	s->name = s->flags & IR_S_TEMP ? r->m->types.v[0].name : get_string(r);
	s->type = get_type(r);
	s->size = head & SLOT_SIZE ? get(r) : r->m->types.v[ir_type_strip(r->m, s->type)].size;
	if (head & SLOT_PARAM)
		s->param = (uint16_t)get_below(r, UINT16_MAX + 1, "bad parameter number");
	s->pos.file = IR_NONE;
	if (k == SLOTK_NONE)
		return;
	if (k == SLOTK_FULL) {
		r->pos = get_full_pos(r);
	} else {
		r->pos.line = get_line(r, r->pos);
		r->pos.col = k == SLOTK_COL ? get_col(r) : 0;
	}
	s->pos = r->pos;
}

static void get_body(struct reader *r, struct ir_func *f)
{
	r->pos = f->pos;
	f->nslots = get_count(r);
	f->ninsts = get_count(r);
	f->nblocks = get_count(r);
	if ((size_t)f->nslots + f->ninsts > left(r))
		fail(r, "count beyond the end");
	if (f->nblocks == 0 || f->nblocks > f->ninsts)
		fail(r, "bad number of blocks");
	if (r->error)
		return;
	f->slots = arena_array(&r->m->arena, struct ir_slot, f->nslots);
	f->insts = arena_array(&r->m->arena, struct ir_inst, f->ninsts);
	f->blocks = arena_array(&r->m->arena, struct ir_block, f->nblocks);
	for (uint32_t i = 0; i < f->nslots; i++)
		get_slot(r, &f->slots[i]);
	r->pos = f->pos;
	get_insts(r, f);
	if (r->error)
		return;
	assert(f->blocks[f->nblocks - 1].n);	/* get_insts() has met all blocks */
	ir__finish_body(r->m, f);
	finish_phis(r, f);
}

/* ---- symbols --------------------------------------------------------- */

static uint32_t get_unit_of(struct reader *r)
{
	if (r->m->units.n > 1) {
		int64_t d = get_signed(r);

		if (d < -(int64_t)r->unit || d >= (int64_t)r->m->units.n - r->unit)
			fail(r, "bad unit number");
		else
			r->unit = (uint32_t)(r->unit + d);
	}
	return r->unit;
}

static struct ir_pos get_symbol_pos(struct reader *r, bool same_file, bool full)
{
	if (full) {
		r->pos = get_full_pos(r);
	} else if (same_file) {
		r->pos.line = get_line(r, r->pos);
		r->pos.col = get_col(r);
	} else {
		return (struct ir_pos){ .file = IR_NONE };
	}
	return r->pos;
}

static const char *get_numbered(struct reader *r, const char *base)
{
	char buf[96];

	/* As unsigned: the number may be anything, and is checked below. */
	r->number = (int64_t)((uint64_t)r->number + 1 + (uint64_t)get_signed(r));
	if (strlen(base) >= 64 || r->number < 1 || r->number > 999999999) {
		fail(r, "bad numbered name");
		r->number = 0;
		return base;
	}
	snprintf(buf, sizeof(buf), "%s.%u", base, (unsigned)r->number);
	return ir_intern(r->m, buf);
}

static void get_init(struct reader *r, struct ir_init *in, uint64_t *end)
{
	unsigned head = get_byte(r), width = head >> INIT_SIZE_SHIFT;

	in->offset = *end;
	if (head & INIT_GAP)
		in->offset += (uint64_t)get_signed(r);
	in->size = code_widths[width % WIDTH_OTHER] / 8;
	if (width == WIDTH_OTHER)
		in->size = (uint16_t)get_below(r, UINT16_MAX + 1, "bad size");
	in->value = get_ref(r, head & 15, 0);
	*end = in->offset + in->size;
}

static void get_global(struct reader *r, struct ir_global *g)
{
	uint64_t head = get(r), end = 0;

	if (head >> GLOBAL_FLAGS_SHIFT > UINT16_MAX)
		fail(r, "bad flags");
	g->linkage = head & 7;
	g->flags = (uint16_t)(head >> GLOBAL_FLAGS_SHIFT);
	g->name = get_string(r);
	if (head & GLOBAL_NUMBERED)
		g->name = get_numbered(r, g->name);
	g->src = head & GLOBAL_SRC ? get_string(r) : g->name;
	g->type = get_type(r);
	g->size = head & GLOBAL_SIZE ? get(r) : r->m->types.v[ir_type_strip(r->m, g->type)].size;
	g->unit = get_unit_of(r);
	g->func = IR_NONE;
	if (g->flags & IR_G_LOCAL)
		g->func = get_below(r, (uint64_t)r->m->funcs.n + 1, "bad function number") - 1;
	g->pos = get_symbol_pos(r, head & GLOBAL_POS, head & GLOBAL_FULL);
	if (head & GLOBAL_TEXT)
		g->text = get_string(r);
	if (head & GLOBAL_INITS)
		g->ninits = get_count(r);
	g->inits = arena_array(&r->m->arena, struct ir_init, g->ninits);
	for (uint32_t i = 0; i < g->ninits && !r->error; i++)
		get_init(r, &g->inits[i], &end);
}

/* All of a function but its body; true if it has one. */
static bool get_func(struct reader *r, struct ir_func *f)
{
	uint64_t head = get(r);
	unsigned extra;

	if (head >> FUNC_FLAGS_SHIFT > UINT16_MAX)
		fail(r, "bad flags");
	f->linkage = head & 7;
	f->flags = (uint16_t)(head >> FUNC_FLAGS_SHIFT);
	f->name = get_string(r);
	f->src = head & FUNC_SRC ? get_string(r) : f->name;
	f->type = get_type(r);
	f->unit = get_unit_of(r);
	f->pos = get_symbol_pos(r, head & FUNC_POS, head & FUNC_FULL);
	f->ret_cls = get_class(r, &f->ret_bits, &extra);
	f->nparams = get_count(r);
	f->params = arena_array(&r->m->arena, struct ir_param, f->nparams);
	for (uint32_t i = 0; i < f->nparams; i++) {
		struct ir_param *p = &f->params[i];

		p->cls = get_class(r, &p->bits, &extra);
		p->sret = extra & 1;
		p->byval = extra & 2;
	}
	return head & FUNC_BODY;
}

static void get_aliases(struct reader *r)
{
	uint32_t n = get_count(r);

	for (uint32_t i = 0; i < n && !r->error; i++) {
		unsigned linkage = get_below(r, IR_L__COUNT, "bad linkage");
		const char *name = get_string(r);
		uint32_t unit = get_unit_of(r);

		ir_add_alias(r->m, name, linkage, get_tagged_ref(r, 0));
		vec_last(&r->m->aliases).unit = unit;
	}
}

static void get_symbols(struct reader *r)
{
	struct ir_module *m = r->m;
	bool *bodies = xcalloc(m->funcs.n + 1, sizeof(*bodies));

	r->pos = (struct ir_pos){ .file = IR_NONE };
	for (uint32_t i = 0; i < m->globals.n && !r->error; i++)
		get_global(r, &m->globals.v[i]);
	for (uint32_t i = 0; i < m->funcs.n && !r->error; i++)
		bodies[i] = get_func(r, &m->funcs.v[i]);
	get_aliases(r);
	for (uint32_t i = 0; i < m->funcs.n && !r->error; i++)
		if (bodies[i])
			get_body(r, &m->funcs.v[i]);
	free(bodies);
	if (!r->error)
		ir__index_symbols(m);
}

/* ---- tables ---------------------------------------------------------- */

static const char **get_string_run(struct reader *r, uint32_t n)
{
	const char **v = xcalloc((size_t)n + 1, sizeof(*v));
	struct sbuf text = {0};

	for (uint32_t i = 0; i < n; i++) {
		const unsigned char *nul = memchr(r->p, 0, left(r));

		if (!nul) {
			fail(r, "ends early");
			v[i] = "";
			continue;
		}
		sbuf_clear(&text);
		strcode_get(&text, r->p, (size_t)(nul - r->p));
		v[i] = ir_intern_n(r->m, sbuf_str(&text), text.n);
		r->p = nul + 1;
	}
	sbuf_release(&text);
	return v;
}

static void get_strings(struct reader *r)
{
	r->nstrings = get_count(r);
	r->nonce = get_count(r);
	if ((size_t)r->nstrings + r->nonce > left(r)) {
		fail(r, "count beyond the end");
		r->nstrings = r->nonce = 0;
	}
	r->strings = get_string_run(r, r->nstrings);
	r->once = get_string_run(r, r->nonce);
}

static void get_fields(struct reader *r, struct ir_type *t)
{
	uint64_t prev = 0;

	t->nfields = get_count(r);
	t->fields = arena_array(&r->m->arena, struct ir_field, t->nfields);
	for (uint32_t i = 0; i < t->nfields; i++) {
		struct ir_field *f = &t->fields[i];
		uint64_t x;

		f->type = get_type(r);
		f->name = r->m->types.v[0].name;
		if (t->kind == IR_T_FUNC)
			continue;
		f->name = get_string(r);
		x = get(r);
		f->offset = prev += (uint64_t)unzigzag(x >> 1);
		if (x & 1) {
			f->bit_offset = (uint16_t)get_below(r, UINT16_MAX + 1, "bad bit field");
			f->bit_size = (uint16_t)get_below(r, UINT16_MAX + 1, "bad bit field");
		}
	}
}

static void get_type_body(struct reader *r, struct ir_type *t)
{
	unsigned head = get_byte(r);

	t->kind = head & 15;
	t->name = head & TYPE_NAME ? get_string(r) : r->m->types.v[0].name;
	if (head & TYPE_FLAGS)
		t->flags = (uint8_t)get_byte(r);
	if (head & TYPE_SIZE)
		t->size = get(r);
	else
		t->size = t->kind == IR_T_PTR ? PTR_SIZE : 0;
	if (type_has_elem(t->kind))
		t->elem = get_type(r);
	if (t->kind == IR_T_ARRAY)
		t->count = get(r);
	if (head & TYPE_FIELDS && t->kind == IR_T_ENUM) {
		t->count = get(r);
		t->first = get_signed(r);
	} else if (head & TYPE_FIELDS) {
		get_fields(r, t);
	}
}

static void get_field_table(struct reader *r)
{
	r->nfields = get_count(r);
	r->fields = xcalloc((size_t)r->nfields + 1, sizeof(*r->fields));
	for (uint32_t i = 0; i < r->nfields && !r->error; i++) {
		struct fielduse *u = &r->fields[i];
		const struct ir_type *t;
		uint64_t x;

		u->type = get_type(r);
		x = get(r);
		u->member = (uint32_t)(x >> 1) - 1;
		t = &r->m->types.v[ir_type_strip(r->m, u->type)];
		if (x & 1)
			u->imm = get_signed(r);
		else if (u->member < t->nfields)
			u->imm = (int64_t)t->fields[u->member].offset;
		else
			fail(r, "bad field");
	}
}

static void get_units(struct reader *r)
{
	struct ir_module *m = r->m;
	uint32_t n = get_count(r);

	for (uint32_t i = 0; i < n && !r->error; i++) {
		const char *path = get_string(r), *dir = get_string(r);

		ir_add_unit(m, path, dir);
		if (r->version >= 3)
			vec_last(&m->units).flags = get_string(r);
		if (n > 1)
			vec_last(&m->units).hash = get(r);
	}
	n = get_count(r);
	for (uint32_t i = 0; i < n && !r->error; i++)
		vec_push(&m->models, get_string(r));
}

/* Types refer to each other in any order: the array is made first, with all of
 * them unknown. */
static void get_types(struct reader *r)
{
	uint32_t n = get_count(r);

	for (uint32_t i = 0; i < n; i++)
		ir_type_reserve(r->m);
	for (uint32_t i = 1; i <= n && !r->error; i++)
		get_type_body(r, &r->m->types.v[i]);
}

/* The numbers of symbols; they are made here, so that addresses can name them. */
static void make_symbols(struct reader *r)
{
	uint32_t globals = get_count(r), funcs = get_count(r);

	if ((size_t)globals + funcs > left(r)) {
		fail(r, "count beyond the end");
		return;
	}
	assert(!r->m->globals.n && !r->m->funcs.n);
	if (globals)
		(void)vec_add(&r->m->globals, globals);
	if (funcs)
		(void)vec_add(&r->m->funcs, funcs);
}

static void get_addrs(struct reader *r)
{
	uint32_t n = get_count(r);

	for (uint32_t i = 0; i < n && !r->error; i++) {
		uint64_t x = get(r), limit = x & 1 ? r->m->funcs.n : r->m->globals.n;
		struct ir_addr a = { 0, get_signed(r) };

		if (x >> 1 >= limit)
			fail(r, "bad address");
		a.base = IR_REF(x & 1 ? IR_R_FUNC : IR_R_GLOBAL, x >> 1);
		vec_push(&r->m->addrs, a);
	}
}

static void get_tables(struct reader *r)
{
	struct ir_module *m = r->m;
	uint32_t n;

	get_strings(r);
	n = get_count(r);
	for (uint32_t i = 0; i < n && !r->error; i++)
		vec_push(&m->files, get_string(r));
	get_units(r);
	get_types(r);
	n = get_count(r);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&m->ints, get_signed(r));
	make_symbols(r);
	get_addrs(r);
	get_field_table(r);
	r->nshapes = get_count(r);
	r->shapes = xcalloc((size_t)r->nshapes + 1, sizeof(*r->shapes));
	for (uint32_t i = 0; i < r->nshapes && !r->error; i++)
		get_shape(r, &r->shapes[i]);
}

/* ---- the record ------------------------------------------------------ */

static uint64_t fetch(const unsigned char *p, unsigned n)
{
	uint64_t x = 0;

	for (unsigned i = 0; i < n; i++)
		x |= (uint64_t)p[i] << 8 * i;
	return x;
}

int ir_record_size(size_t *size, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t body;

	if (n < 8 || memcmp(p, IR_MAGIC, 8))
		return error_set("not a leak IR record");
	if (n < HEADER_SIZE)
		return error_set("leak IR record is cut short");
	if (fetch(p + 8, 4) < IR_OLDEST || fetch(p + 8, 4) > IR_VERSION)
		return error_set("leak IR record of version %u, this plumb reads version %u",
				 (unsigned)fetch(p + 8, 4), IR_VERSION);
	if (fetch(p + 12, 4))
		return error_set("leak IR record is damaged: bad header");
	body = fetch(p + 16, 8);
	if (body > n - HEADER_SIZE)
		return error_set("leak IR record is cut short: %zu bytes of %llu", n,
				 (unsigned long long)body + HEADER_SIZE);
	*size = HEADER_SIZE + (size_t)(body + 7) / 8 * 8;
	if (*size > n)
		return error_set("leak IR record is cut short: its padding is missing");
	return 0;
}

int ir_read(struct ir_module **out, size_t *used, const void *bytes, size_t n)
{
	struct reader r = {0};
	const unsigned char *p = bytes;
	uint64_t body;
	size_t size;
	int ret;

	if ((ret = ir_record_size(&size, bytes, n)) < 0)
		return ret;
	body = fetch(p + 16, 8);
	if (hash_bytes(p + HEADER_SIZE, body, 0) != fetch(p + 24, 8))
		return error_set("leak IR record is damaged: wrong checksum");
	r.m = ir_module_new();
	r.version = (unsigned)fetch(p + 8, 4);
	r.p = p + HEADER_SIZE;
	r.end = r.p + body;
	get_tables(&r);
	if (!r.error)
		get_symbols(&r);
	if (!r.error && r.p != r.end)
		fail(&r, "bytes after the end");
	if (r.error) {
		ret = error_set("leak IR record is damaged: %s", r.error);
		goto done;
	}
	if ((ret = ir_verify(r.m)) < 0) {
		error_prefix("leak IR record is damaged: ");
		goto done;
	}
	if (r.m->units.n == 1)
		r.m->units.v[0].hash = fetch(p + 24, 8);
	*out = r.m;
	*used = size;
	r.m = NULL;	/* now the caller's: the release below shall not free it */
done:
	free(r.strings);
	free(r.once);
	free(r.shapes);
	free(r.fields);
	ir_module_free(r.m);
	return ret;
}
