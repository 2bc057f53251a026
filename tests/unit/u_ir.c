/*
 * u_ir.c - the leak IR: building, questions, both forms on disk, damaged records.
 */
#include "u_ir.h"

#include "ir/code.h"
#include "ir/ident.h"

static struct ir_type type_of(unsigned kind, const char *name, uint64_t size)
{
	return (struct ir_type){ .kind = (uint8_t)kind, .name = name, .size = size };
}

static uint32_t add_ptr(struct ir_module *m, uint32_t elem, unsigned flags)
{
	struct ir_type t = type_of(IR_T_PTR, "", 8);

	t.elem = elem;
	t.flags = (uint8_t)flags;
	return ir_type_add(m, &t);
}

enum {	/* numbers of the types in everything() */
	INT = 1, CHAR, DOUBLE, NODE, PTR_NODE, PTR_CHAR, ARRAY, ANON, ENUM, FN, DECLARED, TYPEDEF, VOIDT, LONG,
};

static void make_types(struct ir_module *m)
{
	struct ir_type t;
	uint32_t node;

	t = type_of(IR_T_INT, "int", 4);
	CHECK_EQ_INT(ir_type_add(m, &t), INT);
	t = type_of(IR_T_INT, "char", 1);
	t.flags = IR_TF_CHAR;
	CHECK_EQ_INT(ir_type_add(m, &t), CHAR);
	t = type_of(IR_T_FLOAT, "double", 8);
	CHECK_EQ_INT(ir_type_add(m, &t), DOUBLE);
	node = ir_type_reserve(m);
	CHECK_EQ_INT(node, NODE);
	CHECK_EQ_INT(add_ptr(m, NODE, 0), PTR_NODE);
	CHECK_EQ_INT(add_ptr(m, CHAR, IR_TF_CONST), PTR_CHAR);
	t = type_of(IR_T_ARRAY, "", 40);
	t.elem = INT;
	t.count = 10;
	CHECK_EQ_INT(ir_type_add(m, &t), ARRAY);
	struct ir_field in_union[] = { { .name = "i", .type = INT }, { .name = "s", .type = PTR_CHAR } };
	t = type_of(IR_T_UNION, "", 8);
	t.nfields = 2;
	t.fields = in_union;
	CHECK_EQ_INT(ir_type_add(m, &t), ANON);
	struct ir_field in_node[] = {
		{ .name = "name", .type = PTR_CHAR, .offset = 0 },
		{ .name = "next", .type = PTR_NODE, .offset = 8 },
		{ .name = "low", .type = INT, .offset = 16, .bit_offset = 0, .bit_size = 3 },
		{ .name = "high", .type = INT, .offset = 16, .bit_offset = 3, .bit_size = 5 },
		{ .name = "", .type = ANON, .offset = 24 },
		{ .name = "odd \"name\"\n", .type = ARRAY, .offset = 32 },
	};
	t = type_of(IR_T_STRUCT, "node", 72);
	t.nfields = ARRAY_LEN(in_node);
	t.fields = in_node;
	ir_type_set(m, node, &t);
	t = type_of(IR_T_ENUM, "color", 4);
	t.count = 3;
	t.first = -1;
	t.elem = INT;
	t.flags = IR_TF_UNSIGNED;
	CHECK_EQ_INT(ir_type_add(m, &t), ENUM);
	struct ir_field params[] = { { .name = "", .type = PTR_NODE }, { .name = "", .type = ENUM } };
	t = type_of(IR_T_FUNC, "", 0);
	t.elem = PTR_NODE;
	t.nfields = 2;
	t.fields = params;
	t.flags = IR_TF_VARIADIC;
	CHECK_EQ_INT(ir_type_add(m, &t), FN);
	t = type_of(IR_T_STRUCT, "far", 0);
	t.flags = IR_TF_DECL;
	CHECK_EQ_INT(ir_type_add(m, &t), DECLARED);
	t = type_of(IR_T_TYPEDEF, "node_t", 72);
	t.elem = NODE;
	CHECK_EQ_INT(ir_type_add(m, &t), TYPEDEF);
	t = type_of(IR_T_VOID, "void", 0);
	CHECK_EQ_INT(ir_type_add(m, &t), VOIDT);
	t = type_of(IR_T_INT, "unsigned long", 8);
	t.flags = IR_TF_UNSIGNED;
	CHECK_EQ_INT(ir_type_add(m, &t), LONG);
}

enum { G_TABLE, G_STR, G_STR1, G_TLS, G_COMMON, G_LOCAL, G_EXTERN };
enum { F_MAIN, F_MALLOC, F_HELPER, F_WEAK };

static void make_globals(struct ir_module *m)
{
	struct ir_global *g;

	CHECK_EQ_INT(ir_add_global(m, "table", IR_L_STATIC), G_TABLE);
	CHECK_EQ_INT(ir_add_global(m, ".str", IR_L_STATIC), G_STR);
	CHECK_EQ_INT(ir_add_global(m, ".str.1", IR_L_STATIC), G_STR1);
	CHECK_EQ_INT(ir_add_global(m, "tls", IR_L_EXTERNAL), G_TLS);
	CHECK_EQ_INT(ir_add_global(m, "common", IR_L_COMMON), G_COMMON);
	CHECK_EQ_INT(ir_add_global(m, "main.count", IR_L_STATIC), G_LOCAL);
	CHECK_EQ_INT(ir_add_global(m, "odd name@1", IR_L_DECL_WEAK), G_EXTERN);
	ir_add_func(m, "main", IR_L_EXTERNAL);
	ir_add_func(m, "malloc", IR_L_DECL);
	ir_add_func(m, "helper", IR_L_STATIC);
	ir_add_func(m, "weak", IR_L_WEAK);

	struct ir_init inits[] = {
		{ 0, 8, IR_REF(IR_R_FUNC, F_HELPER) }, { 8, 4, ir_int(m, -7) },
		{ 16, 8, ir_addr(m, IR_REF(IR_R_GLOBAL, G_STR), 2) }, { 24, 8, IR_CONST },
		{ 40, 16, ir_int(m, INT64_MIN) }, { 60, 3, IR_REF(IR_R_GLOBAL, G_TLS) },
	};
	g = &m->globals.v[G_TABLE];
	g->src = ir_intern(m, "table");
	g->type = ARRAY;
	g->size = 80;
	g->flags = IR_G_CONST | IR_G_PARTIAL;
	g->ninits = ARRAY_LEN(inits);
	g->inits = arena_copy(&m->arena, inits, sizeof(inits));
	g->pos = (struct ir_pos){ 0, 3, 12 };
	g = &m->globals.v[G_STR];
	g->size = 4;
	g->flags = IR_G_STRING | IR_G_CONST;
	g->text = ir_intern(m, "a\t\"\x01\xff;\\");
	g = &m->globals.v[G_STR1];
	g->size = 9;
	g->flags = IR_G_STRING | IR_G_CONST;
	g->text = ir_intern(m, "");
	g = &m->globals.v[G_TLS];
	g->flags = IR_G_TLS;
	g->src = g->name;
	g->type = PTR_NODE;
	g->size = 8;
	g->pos = (struct ir_pos){ 1, 70000, 65535 };
	g = &m->globals.v[G_COMMON];
	g->type = TYPEDEF;
	g->size = 72;
	g->src = g->name;
	g = &m->globals.v[G_LOCAL];
	g->src = ir_intern(m, "count");
	g->type = INT;
	g->size = 4;
	g->flags = IR_G_LOCAL;
	g->func = F_MAIN;
	g->pos = (struct ir_pos){ 1, 1, 0 };
}

static struct ir_inst *put(struct ir_builder *b, unsigned op, unsigned cls, unsigned bits, uint32_t n,
			   const ir_ref *ops)
{
	return ir_body_inst(b, op, cls, (uint16_t)bits, ops, n);
}
#define OPS(...) (sizeof((ir_ref[]){ __VA_ARGS__ }) / sizeof(ir_ref)), (ir_ref[]){ __VA_ARGS__ }
#define NOPS 0, NULL
#define P IR_C_PTR, 64
#define I32 IR_C_INT, 32
#define I64 IR_C_INT, 64

static void go(struct ir_builder *b, struct ir_inst *in, uint32_t n, const uint32_t *t)
{
	ir_body_targets(b, in, t, n);
}
#define TO(...) (sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)), (uint32_t[]){ __VA_ARGS__ }

static void make_slots(struct ir_builder *b)
{
	const struct ir_pos none = { .file = IR_NONE };
	const struct ir_slot slots[] = {
		{ .name = "p", .type = PTR_NODE, .size = 8, .param = 1, .pos = { 0, 10, 0 } },
		{ .name = "", .size = 8, .flags = IR_S_TEMP | IR_S_RETVAL, .pos = none },
		{ .name = "size", .type = LONG, .size = 8, .pos = { 0, 9, 7 } },
		{ .name = "vla", .type = ARRAY, .flags = IR_S_DYNAMIC, .pos = { 1, 2, 3 } },
		{ .name = "odd name", .type = NODE, .size = 72, .flags = IR_S_BYVAL, .param = 3, .pos = none },
	};

	for (uint32_t i = 0; i < ARRAY_LEN(slots); i++)
		CHECK_EQ_INT(ir_body_slot(b, &slots[i]), i);
}

/* The instructions of main, every opcode among them.  Blocks are filled out of
 * order, so that results must be numbered anew. */
static void make_body(struct ir_module *m)
{
	struct ir_builder b;
	struct ir_inst *in;
	ir_ref v, w, c, agg, x;
	ir_ref zero = ir_int(m, 0), one = ir_int(m, 1);

	ir_body_begin(&b, m, F_MAIN);
	make_slots(&b);
	for (int i = 0; i < 8; i++)
		CHECK_EQ_INT(ir_body_block(&b), i);
	ir_body_at(&b, 2);
	b.pos = (struct ir_pos){ 1, 5, 6 };
	put(&b, IR_RET, IR_C_VOID, 0, OPS(one));

	ir_body_at(&b, 0);
	b.pos = (struct ir_pos){ 0, 11, 3 };
	put(&b, IR_STORE, P, OPS(IR_SLOT(0), IR_VREG(0)));
	v = ir_res(put(&b, IR_LOAD, P, OPS(IR_SLOT(0))));
	in = put(&b, IR_FIELD, P, OPS(v));
	in->type = TYPEDEF;
	in->member = 1;
	in->imm = 8;
	x = ir_res(in);
	in = put(&b, IR_FIELD, P, OPS(x));
	in->imm = -16;
	in = put(&b, IR_FIELD, P, OPS(IR_SLOT(4)));
	in->type = NODE;
	in->member = 3;
	in->imm = 17;
	b.pos.col = 9;
	in = put(&b, IR_ELEM, P, OPS(IR_REF(IR_R_GLOBAL, G_TABLE), one));
	in->imm = 4;
	in = put(&b, IR_INDEX, P, OPS(v, ir_int(m, -1)));
	in->imm = 72;
	b.pos.line = 9;
	b.flags = IR_F_VOLATILE | IR_F_ATOMIC;
	w = ir_res(put(&b, IR_LOAD, I32, OPS(ir_addr(m, IR_REF(IR_R_GLOBAL, G_TLS), -8))));
	b.flags = IR_F_MAYBE;
	put(&b, IR_STORE, I32, OPS(x, w));
	b.flags = 0;
	put(&b, IR_MEMCPY, IR_C_VOID, 0, OPS(IR_SLOT(4), v, ir_int(m, 72)));
	put(&b, IR_MEMSET, IR_C_VOID, 0, OPS(v, zero, ir_int(m, INT64_MAX)));
	in = put(&b, IR_ALLOCA, P, OPS(ir_int(m, 100)));
	in->imm = 3;
	put(&b, IR_COPY, P, OPS(ir_res(in)));
	in = put(&b, IR_CAST, I64, OPS(w));
	in->sub = IR_CAST_SEXT;
	in->from = 32;
	x = ir_res(in);
	in = put(&b, IR_CAST, P, OPS(x));
	in->sub = IR_CAST_INTTOPTR;
	in->from = 64;
	put(&b, IR_BIN, I64, OPS(x, x))->sub = IR_B_ASHR;
	in = put(&b, IR_CMP, P, OPS(v, IR_NULL));
	in->sub = IR_P_NE;
	c = ir_res(in);
	put(&b, IR_SELECT, P, OPS(c, v, IR_UNDEF));
	b.pos.file = IR_NONE;
	b.pos.line = b.pos.col = 0;
	put(&b, IR_OPAQUE, IR_C_FLOAT, 80, OPS(IR_CONST, w, x));
	put(&b, IR_OPAQUE, IR_C_OPAQUE, 256, NOPS);
	put(&b, IR_CONDBR, IR_C_VOID, 0, OPS(c));
	go(&b, &vec_last(&b.insts), TO(1, 2));

	ir_body_at(&b, 1);
	b.flags = IR_F_TWICE | IR_F_IMPLICIT;
	agg = ir_res(put(&b, IR_CALL, IR_C_AGG, 0, OPS(IR_REF(IR_R_FUNC, F_WEAK), v, zero)));
	b.flags = 0;
	put(&b, IR_EXTRACT, P, OPS(agg))->imm = 1;
	put(&b, IR_CALL, IR_C_VOID, 0, OPS(v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, zero));
	put(&b, IR_CALL, P, OPS(IR_REF(IR_R_FUNC, F_MALLOC), ir_int(m, 1000000)));
	put(&b, IR_ASM, IR_C_VOID, 0, NOPS);
	put(&b, IR_ASM, I32, OPS(v));
	put(&b, IR_VASTART, IR_C_VOID, 0, OPS(IR_SLOT(4)));
	put(&b, IR_VACOPY, IR_C_VOID, 0, OPS(IR_SLOT(4), v));
	put(&b, IR_VAARG, P, OPS(IR_SLOT(4)));
	put(&b, IR_VAEND, IR_C_VOID, 0, OPS(IR_SLOT(4)));
	put(&b, IR_SWITCH, IR_C_VOID, 0, OPS(w, one, ir_int(m, -3), ir_int(m, 5)));
	go(&b, &vec_last(&b.insts), TO(3, 4, 4, 5));

	ir_body_at(&b, 3);
	put(&b, IR_BR, IR_C_VOID, 0, NOPS);
	go(&b, &vec_last(&b.insts), TO(6));
	ir_body_at(&b, 4);
	x = ir_res(put(&b, IR_LOAD, IR_C_INT, 1, OPS(IR_SLOT(1))));
	put(&b, IR_GOTO, IR_C_VOID, 0, OPS(IR_CONST));
	go(&b, &vec_last(&b.insts), TO(6, 7, 6));
	ir_body_at(&b, 5);
	b.flags = IR_F_NORETURN;
	put(&b, IR_CALL, IR_C_VOID, 0, OPS(IR_NULL));
	b.flags = 0;
	put(&b, IR_UNREACHABLE, IR_C_VOID, 0, NOPS);
	ir_body_at(&b, 6);
	in = put(&b, IR_PHI, IR_C_INT, 1, OPS(x, zero, x));
	go(&b, in, TO(4, 3, 4));
	put(&b, IR_CONDBR, IR_C_VOID, 0, OPS(ir_res(&vec_last(&b.insts))));
	go(&b, &vec_last(&b.insts), TO(7, 7));
	ir_body_at(&b, 7);
	put(&b, IR_BR, IR_C_VOID, 0, NOPS);
	go(&b, &vec_last(&b.insts), TO(6));
	/* block 6 has three predecessors: give its phi the third value */
	for (uint32_t i = 0; i < b.insts.n; i++)
		if (b.insts.v[i].op == IR_PHI) {
			ir_body_ops(&b, &b.insts.v[i], (ir_ref[]){ x, zero, x, one }, 4);
			ir_body_targets(&b, &b.insts.v[i], (uint32_t[]){ 4, 3, 4, 7 }, 4);
		}
	ir_body_end(&b);
}

/* A module with every kind of thing in it. */
static struct ir_module *everything(void)
{
	struct ir_module *m = ir_module_new();
	struct ir_builder b;
	struct ir_func *f;

	CHECK_EQ_INT(ir_file(m, "/src/a.c"), 0);
	CHECK_EQ_INT(ir_file(m, "rel/b.h"), 1);
	CHECK_EQ_INT(ir_file(m, "/src/a.c"), 0);
	CHECK_EQ_INT(ir_add_unit(m, "/src/a.c", "/src"), 0);
	make_types(m);
	make_globals(m);
	f = &m->funcs.v[F_MAIN];
	f->type = FN;
	f->flags = IR_FN_VARIADIC | IR_FN_CTOR | IR_FN_DTOR | IR_FN_INLINE;
	f->ret_cls = IR_C_INT;
	f->ret_bits = 32;
	f->nparams = 2;
	f->params = arena_array(&m->arena, struct ir_param, 2);
	f->params[0] = (struct ir_param){ .cls = IR_C_PTR, .bits = 64, .sret = true };
	f->params[1] = (struct ir_param){ .cls = IR_C_PTR, .bits = 64, .byval = true };
	f->pos = (struct ir_pos){ 0, 10, 5 };
	make_body(m);
	f = &m->funcs.v[F_MALLOC];
	f->flags = IR_FN_MALLOC | IR_FN_NORETURN | IR_FN_TWICE | IR_FN_READONLY;
	f->ret_cls = IR_C_PTR;
	f->ret_bits = 64;
	f->nparams = 1;
	f->params = arena_array(&m->arena, struct ir_param, 1);
	f->params[0] = (struct ir_param){ .cls = IR_C_FLOAT, .bits = 80 };
	for (int i = F_HELPER; i <= F_WEAK; i++) {
		m->funcs.v[i].src = ir_intern(m, "source name");
		m->funcs.v[i].ret_cls = i == F_WEAK ? IR_C_AGG : IR_C_VOID;
		m->funcs.v[i].pos = (struct ir_pos){ 1, 30, 2 };
		ir_body_begin(&b, m, (uint32_t)i);
		ir_body_at(&b, ir_body_block(&b));
		if (i == F_WEAK)
			put(&b, IR_RET, IR_C_VOID, 0, OPS(ir_int(m, 4), IR_NULL));
		else
			put(&b, IR_RET, IR_C_VOID, 0, NOPS);
		ir_body_end(&b);
	}
	ir_add_alias(m, "old_helper", IR_L_WEAK, IR_REF(IR_R_FUNC, F_HELPER));
	ir_add_alias(m, "inside", IR_L_EXTERNAL, ir_addr(m, IR_REF(IR_R_GLOBAL, G_TABLE), 8));
	ir_add_alias(m, "indirect", IR_L_EXTERNAL, IR_CONST);
	vec_push(&m->models, ir_intern(m, "helper: frees 0\n"));
	return m;
}

/* ---- building -------------------------------------------------------- */

TEST(interning)
{
	struct ir_module *m = ir_module_new();
	struct ir_type t = type_of(IR_T_STRUCT, "s", 4);

	CHECK(ir_intern(m, "abc") == ir_intern_n(m, "abcd", 3));
	CHECK(ir_intern(m, "abc") != ir_intern(m, "abcd"));
	CHECK(ir_intern_n(m, "abc\0def", 7) == ir_intern(m, "abc"));
	CHECK_EQ_INT(ir_int(m, 5), ir_int(m, 5));
	CHECK(ir_int(m, 5) != ir_int(m, -5));
	CHECK_EQ_INT(ir_int_value(m, ir_int(m, INT64_MIN)), INT64_MIN);
	ir_add_global(m, "g", IR_L_EXTERNAL);
	CHECK_EQ_INT(ir_addr(m, IR_REF(IR_R_GLOBAL, 0), 0), IR_REF(IR_R_GLOBAL, 0));
	CHECK_EQ_INT(ir_addr(m, IR_REF(IR_R_GLOBAL, 0), 4), ir_addr(m, IR_REF(IR_R_GLOBAL, 0), 4));
	CHECK_EQ_INT(add_ptr(m, 0, 0), add_ptr(m, 0, 0));
	CHECK(add_ptr(m, 0, 0) != add_ptr(m, 0, IR_TF_CONST));
	CHECK(ir_type_add(m, &t) != ir_type_add(m, &t));
	ir_module_free(m);
}

/* A module that was read can be added to without making anything twice. */
TEST(adding_after_reading)
{
	struct ir_module *m = everything(), *r = write_and_read(m);
	uint32_t files = r->files.n, ints = r->ints.n, addrs = r->addrs.n, types = r->types.n;

	CHECK(ir_file(r, "/src/a.c") < files);
	CHECK(IR_IDX(ir_int(r, -7)) < ints);
	CHECK(IR_IDX(ir_addr(r, IR_REF(IR_R_GLOBAL, G_STR), 2)) < addrs);
	for (uint32_t i = 1; i < types; i++) {
		struct ir_type t = r->types.v[i];

		if (t.kind != IR_T_STRUCT && t.kind != IR_T_UNION)
			CHECK_EQ_INT(ir_type_add(r, &t), i);
	}
	CHECK_EQ_INT(ir_file(r, "/new"), files);
	CHECK_EQ_INT(IR_IDX(ir_int(r, 123456)), ints);
	CHECK_EQ_INT(ir_find_func(r, "malloc"), F_MALLOC);
	CHECK_EQ_INT(ir_find_global(r, ".str.1"), G_STR1);
	check_valid(r);
	ir_module_free(m);
	ir_module_free(r);
}

TEST(body_has_normal_form)
{
	struct ir_module *m = everything();
	struct ir_func *f = &m->funcs.v[F_MAIN];
	uint32_t next = 2;
	uint16_t bits;

	check_valid(m);
	CHECK_EQ_INT(f->nblocks, 8);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct ir_inst *in = &f->insts[i];

		if (in->res == IR_NONE)
			continue;
		CHECK_EQ_INT(in->res, next);
		CHECK_EQ_INT(f->def[next], i);
		CHECK(ir_def(f, IR_VREG(next)) == in);
		next++;
	}
	CHECK_EQ_INT(f->nvregs, next);
	CHECK(ir_def(f, IR_VREG(0)) == NULL);
	CHECK(ir_def(f, IR_SLOT(0)) == NULL);
	CHECK_EQ_INT(f->blocks[6].npred, 3);
	CHECK_EQ_INT(f->blocks[6].pred[0], 3);
	CHECK_EQ_INT(f->blocks[6].pred[1], 4);
	CHECK_EQ_INT(f->blocks[6].pred[2], 7);
	CHECK_EQ_INT(f->blocks[6].nsucc, 1);
	CHECK_EQ_INT(f->blocks[1].nsucc, 3);
	CHECK_EQ_INT(f->blocks[4].nsucc, 2);
	CHECK_EQ_INT(ir_vreg_class(f, 1, &bits), IR_C_PTR);
	CHECK_EQ_INT(bits, 64);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_CMP) {
			CHECK_EQ_INT(ir_vreg_class(f, f->insts[i].res, &bits), IR_C_INT);
			CHECK_EQ_INT(bits, 1);
		}
	ir_module_free(m);
}

TEST(questions)
{
	struct ir_module *m = from_text(
		"unit 0 \"/a.c\" dir \"/\"\nunit 1 \"/b.c\" dir \"/\"\n"
		"type t1 = int \"int\" size 4\n"
		"type t2 = struct \"e\"\n"
		"type t3 = struct \"s\" size 12 {\n+0 none: t2\n+0 a: t1\n+4 b: t4\n+12 flex: t5\n}\n"
		"type t4 = array t1 count 2 size 8\n"
		"type t5 = array t1\n"
		"type t6 = typedef \"s_t\" t3 size 12\n"
		"global @x#0 size 4 static\nglobal @x#1 size 4 external\n"
		"alias @f#0 = @g static\n"
		"func @f#0() void extern\n"
		"func @f#1() void static {\nb0:\n ret\n}\n"
		"func @g#1() void weak {\nb0:\n call void @f#0()\n call void @g()\n call void null()\n"
		" call void @h()\n ret\n}\n"
		"func @h#1() void extern\n");
	const struct ir_inst *g = m->funcs.v[2].insts;

	CHECK_EQ_INT(ir_type_strip(m, 6), 3);
	CHECK_EQ_INT(ir_type_strip(m, 1), 1);
	CHECK_EQ_STR(ir_field_at(m, 6, 0)->name, "a");
	CHECK_EQ_STR(ir_field_at(m, 3, 4)->name, "b");
	CHECK_EQ_STR(ir_field_at(m, 3, 10)->name, "b");
	CHECK_EQ_STR(ir_field_at(m, 3, 12)->name, "flex");
	CHECK(!ir_field_at(m, 3, 13));
	CHECK(!ir_field_at(m, 1, 0));
	CHECK_EQ_INT(ir_find_global(m, "x"), 1);
	CHECK_EQ_INT(ir_find_func(m, "f"), 0);
	CHECK_EQ_INT(ir_find_func(m, "nobody"), IR_NONE);
	CHECK_EQ_INT(ir_find_global(m, "f"), IR_NONE);
	CHECK(ir_callee(m, &g[0]) == &m->funcs.v[2]);	/* through the alias */
	CHECK(ir_callee(m, &g[1]) == &m->funcs.v[2]);
	CHECK(ir_callee(m, &g[2]) == NULL);
	CHECK(ir_callee(m, &g[3]) == &m->funcs.v[3]);
	CHECK(ir_callee(m, &g[4]) == NULL);
	ir_module_free(m);
}

TEST(type_text)
{
	struct ir_module *m = from_text(
		"type t1 = int \"int\" size 4\n"
		"type t2 = struct \"node\" size 8 {\n+0 next: t3\n}\n"
		"type t3 = ptr t2 size 8\n"
		"type t4 = void\n"
		"type t5 = ptr t4 size 8\n"
		"type t6 = func t1 (t5, t5)\n"
		"type t7 = ptr t6 size 8\n"
		"type t8 = array t7 count 3 size 24\n"
		"type t9 = int \"char\" size 1 char\n"
		"type t10 = ptr t9 size 8 const\n"
		"type t11 = ptr t10 size 8 const\n"
		"type t12 = array t1 count 4 size 16\n"
		"type t13 = ptr t12 size 8\n"
		"type t14 = array t12\n"
		"type t15 = typedef \"size_t\" t1\n"
		"type t16 = union size 8\n"
		"type t17 = enum \"e\" t1 size 4\n"
		"type t18 = func t3 () variadic\n"
		"type t19 = func t4 (t1, t10) variadic\n"
		"type t20 = ptr t20 size 8\n"
		"type t21 = ptr t0 size 8\n"
		"type t22 = func t7 (t1)\n");
	static const struct { uint32_t type; const char *name, *text; } cases[] = {
		{ 1, "n", "int n" }, { 1, "", "int" }, { 3, "next", "struct node *next" },
		{ 7, "cmp", "int (*cmp)(void *, void *)" }, { 8, "t", "int (*t[3])(void *, void *)" },
		{ 10, "s", "const char *s" }, { 11, "v", "const char *const *v" },
		{ 13, "a", "int (*a)[4]" }, { 14, "m", "int m[][4]" }, { 15, "n", "size_t n" },
		{ 16, "u", "union {...} u" }, { 17, "e", "enum e e" }, { 18, "f", "struct node *f(...)" },
		{ 19, "f", "void f(int, const char *, ...)" }, { 0, "x", "? x" }, { 21, "p", "void *p" },
		{ 22, "f", "int (*f(int))(void *, void *)" },
	};
	struct sbuf b = {0};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		sbuf_clear(&b);
		ir_type_text(&b, m, cases[i].type, cases[i].name);
		CHECK_EQ_STR(sbuf_str(&b), cases[i].text);
	}
	sbuf_clear(&b);
	ir_type_text(&b, m, 20, "p");	/* a pointer to itself: it ends */
	CHECK(b.n < 100);
	sbuf_release(&b);
	ir_module_free(m);
}

/* ---- round trips ----------------------------------------------------- */

TEST(round_trip_of_everything)
{
	struct ir_module *m = everything();

	check_valid(m);
	round_trip(m);
	ir_module_free(m);
}

TEST(round_trip_of_nothing)
{
	struct ir_module *m = ir_module_new();

	check_valid(m);
	round_trip(m);
	ir_module_free(m);
}

/* More shapes, types, integers and blocks than a byte or two can number. */
TEST(round_trip_of_much)
{
	struct ir_module *m = ir_module_new();
	struct unit_rng rng = { 7 };
	struct ir_builder b;
	struct ir_func *f;

	ir_add_unit(m, "/x.c", "/");
	ir_file(m, "/x.c");
	ir_add_func(m, "f", IR_L_EXTERNAL);
	f = &m->funcs.v[0];
	f->nparams = 300;
	f->params = arena_array(&m->arena, struct ir_param, 300);
	for (uint32_t i = 0; i < 300; i++)
		f->params[i] = (struct ir_param){ .cls = IR_C_INT, .bits = (uint16_t)(1 + i) };
	ir_body_begin(&b, m, 0);
	for (uint32_t i = 0; i < 3000; i++) {
		uint32_t w = unit_below(&rng, 300);
		ir_ref ops[20];
		uint32_t n = unit_below(&rng, 20);

		ir_body_at(&b, ir_body_block(&b));
		for (uint32_t k = 0; k < n; k++)
			ops[k] = unit_below(&rng, 2) ? IR_VREG(unit_below(&rng, 300)) :
				 ir_int(m, (int64_t)unit_rand(&rng));
		b.pos = (struct ir_pos){ 0, unit_below(&rng, 50), (uint16_t)unit_below(&rng, 300) };
		b.flags = (uint8_t)unit_below(&rng, 64);
		put(&b, IR_OPAQUE, IR_C_INT, 1 + w, n, ops);
		put(&b, IR_BIN, IR_C_INT, 1 + w, OPS(IR_VREG(w), IR_VREG(w)))->sub =
			(uint8_t)unit_below(&rng, IR_B__COUNT);
		if (i == 2999)
			put(&b, IR_UNREACHABLE, IR_C_VOID, 0, NOPS);
		else
			go(&b, put(&b, IR_GOTO, IR_C_VOID, 0, OPS(IR_UNDEF)),
			   TO(i + 1, 1 + unit_below(&rng, 2999), 1 + unit_below(&rng, 2999)));
	}
	ir_body_end(&b);
	check_valid(m);
	round_trip(m);
	ir_module_free(m);
}

/* A single unit's hash is its record's; a linked module keeps those of its units. */
TEST(unit_hashes)
{
	struct ir_module *m = everything(), *r = write_and_read(m), *l, *again;

	CHECK_EQ_INT(m->units.v[0].hash, 0);
	CHECK(r->units.v[0].hash != 0);
	again = write_and_read(r);
	CHECK_EQ_INT(again->units.v[0].hash, r->units.v[0].hash);
	ir_module_free(again);
	ir_add_unit(r, "/b.c", "/");
	r->units.v[1].hash = UINT64_MAX;
	l = write_and_read(r);
	CHECK_EQ_INT(l->units.v[0].hash, r->units.v[0].hash);
	CHECK_EQ_INT(l->units.v[1].hash, UINT64_MAX);
	ir_module_free(l);
	ir_module_free(m);
	ir_module_free(r);
}

/* Identities go by the names of files, whatever folder these lie in; alike ones differ all the same. */
TEST(identities_in_any_folder)
{
	static const char *const folder[] = { "/a", "/somewhere/else/z" };
	struct ir_module *m[2];
	struct idents d[2];

	for (unsigned i = 0; i < 2; i++) {
		struct sbuf b = {0};

		sbuf_printf(&b, "unit 0 \"%s/x.c\" dir \"%s\"\nunit 1 \"%s/y.c\" dir \"%s\"\nunit 2 \"%s/sub/x.c\" dir \"%s\"\n", folder[i],
			    folder[i], folder[i], folder[i], folder[i], folder[i]);
		for (unsigned unit = 0; unit < 3; unit++)
			sbuf_printf(&b, "global @g#%u: t0 size 8 static @?\n", unit);
		m[i] = from_text(sbuf_str(&b));
		idents_init(&d[i], m[i]);
		sbuf_release(&b);
	}
	CHECK_EQ_INT(m[0]->globals.n, 3);
	for (unsigned k = 0; k < 3; k++) {
		CHECK(d[0].global[k] == d[1].global[k]);
		CHECK(d[0].global[k] != d[0].global[(k + 1) % 3]);
	}
	for (unsigned i = 0; i < 2; i++) {
		idents_release(&d[i]);
		ir_module_free(m[i]);
	}
}

TEST(unused_is_not_written)
{
	struct ir_module *m = everything(), *r;
	struct ir_type t = type_of(IR_T_STRUCT, "unused", 0);

	ir_type_add(m, &t);
	ir_int(m, 987654321);
	ir_file(m, "/unused.h");
	r = write_and_read(m);
	check_equal(m, r);
	CHECK(r->types.n < m->types.n && r->ints.n < m->ints.n && r->files.n < m->files.n);
	ir_module_free(m);
	ir_module_free(r);
}

TEST(pruning)
{
	struct ir_module *m = from_text(
		"type t1 = struct \"used\" size 24 {\n+0 p: t2\n+8 in: t4\n+16 u: t8\n}\n"
		"type t2 = ptr t3 size 8\n"
		"type t3 = struct \"unused\" size 8 {\n+0 p: t2\n}\n"
		"type t4 = struct \"inner\" size 8 {\n+0 q: t5\n}\n"
		"type t5 = ptr t6 size 8\n"
		"type t6 = struct size 8 {\n+0 p: t7\n}\n"		/* no tag: kept */
		"type t7 = ptr t1 size 8\n"
		"type t8 = ptr t9 size 8\n"
		"type t9 = union \"by_field\" size 8 {\n+0 x: t5\n}\n"
		"type t10 = func t2 (t2)\n"
		"type t11 = ptr t7 size 8\n"
		"func @f(ptr) void: t10 external {\n slot $0 p: t11 size 8\nb0:\n"
		" %1 = field %0, +0 (t9.0)\n ret\n}\n");

	ir_prune(m);
	check_valid(m);
	CHECK_EQ_INT(m->types.v[1].nfields, 3);
	CHECK_EQ_INT(m->types.v[3].nfields, 0);
	CHECK_EQ_INT(m->types.v[3].flags, IR_TF_DECL);
	CHECK_EQ_INT(m->types.v[4].nfields, 1);
	CHECK_EQ_INT(m->types.v[6].nfields, 1);
	CHECK_EQ_INT(m->types.v[9].nfields, 1);
	round_trip(m);
	ir_module_free(m);
}

TEST(equality_sees_differences)
{
	struct ir_module *a = everything(), *b = everything();
	struct ir_func *f = &b->funcs.v[F_MAIN];

	check_equal(a, b);
#define DIFFERS(change, undo, what) do { \
	change; \
	CHECK(ir_equal(a, b) < 0); \
	CHECK(strstr(error_last(), what)); \
	undo; \
	check_equal(a, b); \
} while (0)
	DIFFERS(f->insts[1].pos.col++, f->insts[1].pos.col--, "main: instruction 1 ");
	DIFFERS(f->insts[3].imm++, f->insts[3].imm--, "main: instruction 3 ");
	DIFFERS(f->slots[2].size++, f->slots[2].size--, "main: slot 2 ");
	DIFFERS(f->flags ^= 1, f->flags ^= 1, "functions main and main");
	DIFFERS(b->types.v[NODE].fields[1].offset++, b->types.v[NODE].fields[1].offset--, "types ");
	DIFFERS(b->types.v[CHAR].flags = 0, b->types.v[CHAR].flags = IR_TF_CHAR, "types ");
	DIFFERS(b->globals.v[0].inits[1].size++, b->globals.v[0].inits[1].size--, "table: initialiser 1");
	DIFFERS(b->globals.v[4].linkage = 0, b->globals.v[4].linkage = IR_L_COMMON, "globals common");
	DIFFERS(b->ints.v[0]++, b->ints.v[0]--, "differ");
	DIFFERS(b->addrs.v[0].offset++, b->addrs.v[0].offset--, "differ");
	DIFFERS(b->aliases.v[0].linkage = 0, b->aliases.v[0].linkage = IR_L_WEAK, "alias old_helper");
	DIFFERS(b->files.v[0] = "/x", b->files.v[0] = "/src/a.c", "differ");
	DIFFERS(b->units.v[0].dir = "/x", b->units.v[0].dir = "/src", "unit 0");
	DIFFERS(b->models.n = 0, b->models.n = 1, "numbers");
	ir_module_free(a);
	ir_module_free(b);
}

/* ---- text ------------------------------------------------------------ */

TEST(text_is_as_documented)
{
	static const char text[] =
		"plumb-ir text 1\n"
		"unit 0 \"/x/a.c\" dir \"/x\"\n"
		"file f0 \"/x/a.c\"\n"
		"file f1 relative \"b.h\"\n"
		"model \"m\\n\"\n"
		"\n"
		"type t1 = int \"char\" size 1 char\n"
		"type t2 = ptr t1 size 8\t; char *\n"
		"type t3 = struct \"node\" size 16 {\n"
		"\t+0 name: t2\t; char *\n"
		"\t+8 flag: t1 bits 3:1\t; char\n"
		"}\n"
		"type t4 = func t2 (t2, t1)\t; char *(char *, char)\n"
		"\n"
		"global @table: t0 size 16 static const @f0:3:12 {\n"
		"\t+0 8 = @load\n"
		"\t+8 8 = @load+4\n"
		"}\n"
		"global @.str: t0 size 3 static string text \"hi\" @?\n"
		"\n"
		"alias @old = @load external\n"
		"\n"
		"func @load(ptr, i32) ptr: t4 external @f0:12:7 {\t; char *load(char *, char)\n"
		"\tslot $0 name: t2 size 8 param 1 @12:30\t; char *\n"
		"\tslot $1: t0 size 8 temp retval @?\n"
		"b0:\n"
		"\t%2 = load volatile ptr $0.name @13:9\n"
		"\t%3 = field %2, +8 (t3.1) @f1:1:2\t; struct node.flag\n"
		"\t%4 = cmp eq ptr %3, null @f0:13:9\n"
		"\tcondbr %4, b1, b2 @?\n"
		"b1:\t; from b0\n"
		"\t%5 = call ptr @load(%2, 3) @13:9\n"
		"\tret %5 @14:1\n"
		"b2:\t; from b0\n"
		"\tret @.str @15:1\t; \"hi\"\n"
		"}\n"
		"\n"
		"func @exit(i32) void: t0 extern noreturn @?\n"
		"func @\"odd name\"() void: t0 extern_weak @?\n";
	struct ir_module *m;
	char *s;

	if (ir_parse(&m, text, strlen(text), "text") < 0)
		FAIL("%s", error_last());
	s = to_text(m, IR_PRINT_ALL);
	CHECK_EQ_STR(s, text);
	free(s);
	s = to_text(m, 0);
	CHECK(strstr(s, "\tslot $0 name size 8 param 1\t; char *\n"));
	CHECK(strstr(s, "\t%3 = field %2, +8\t; struct node.flag\n"));
	CHECK(!strstr(s, "file f0") && !strstr(s, "type t1") && !strstr(s, "@13:9"));
	free(s);
	ir_module_free(m);
}

/* Paths below the current directory are shown from there and come back whole. */
TEST(text_paths)
{
	char *cwd = getcwd(NULL, 0), *text;
	struct ir_module *m = ir_module_new(), *p;
	struct sbuf b = {0};

	sbuf_printf(&b, "%s/sub/a.c", cwd);
	ir_add_unit(m, b.s, cwd);
	ir_file(m, b.s);
	ir_file(m, "sub/a.c");
	text = to_text(m, IR_PRINT_ALL);
	CHECK(strstr(text, "unit 0 \"sub/a.c\" dir \".\"\n"));
	CHECK(strstr(text, "file f0 \"sub/a.c\"\nfile f1 relative \"sub/a.c\"\n"));
	CHECK(ir_parse(&p, text, strlen(text), "text") == 0);
	check_equal(m, p);
	CHECK_EQ_STR(p->files.v[0], m->files.v[0]);
	CHECK_EQ_STR(p->files.v[1], m->files.v[1]);
	free(text);
	free(cwd);
	sbuf_release(&b);
	ir_module_free(m);
	ir_module_free(p);
}

TEST(text_errors)
{
	static const struct { const char *text, *error; } cases[] = {
		{ "", "t:1: does not begin with \"plumb-ir text 1\"" },
		{ "plumb-ir text 2\n", "t:1: does not begin with \"plumb-ir text 1\"" },
		{ "plumb-ir text 1\n\nnonsense\n",
		  "t:3: expected a unit, file, model, type, global, alias or func at the start of a line" },
		{ "plumb-ir text 1\ntype t2 = int\n", "t:2: the next type is t1" },
		{ "plumb-ir text 1\ntype t1 = ptr t9\n", "t:2: no type t9" },
		{ "plumb-ir text 1\nmodel \"a\\q\"\n", "t:2: unknown escape in string" },
		{ "plumb-ir text 1\nmodel \"a\n", "t:2: string without end" },
		{ "plumb-ir text 1\nglobal @x size 99999999999999999999 static\n", "t:2: number too large" },
		{ "plumb-ir text 1\nfunc @f() void extern\nfunc @f() void extern\n",
		  "t:3: @f is there twice in one unit" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n ret @g\n}\n", "t:4: no symbol @g" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n}\n", "t:3: the last block is empty" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\nb1:\n ret\n}\n", "t:3: block b0 is empty" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n br b7\n}\n", "t:4: no block b7" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n %0 = copy ptr null\n}\n",
		  "t:4: block b0 does not end in its only terminator" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n %7 = copy ptr null\n ret\n}\n",
		  "t:4: the result must be %0" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n %0 = store ptr null, null\n ret\n}\n",
		  "t:4: store has no result" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n memset null, 0\n ret\n}\n",
		  "t:4: memset takes 3 operands" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n frob\n}\n",
		  "t:4: expected an instruction, not \"frob\"" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n ret 1\n}\n",
		  "t: function f: instruction 0 (ret): wrong number of results" },
		{ "plumb-ir text 1\nfunc @f() void static {\n ret\n", "t:3: expected a block" },
		{ "plumb-ir text 1\nfunc @f() void static {\nb0:\n ret\n", "t:4: function without end" },
	};
	struct ir_module *m;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CHECK(ir_parse(&m, cases[i].text, strlen(cases[i].text), "t") < 0);
		CHECK_EQ_STR(error_last(), cases[i].error);
	}
}

/* Whatever is cut off, there is an error or a module. */
TEST(text_cut_short)
{
	struct ir_module *m = everything(), *p;
	char *text = to_text(m, IR_PRINT_ALL);
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		if (ir_parse(&p, text, i, "t") == 0)
			ir_module_free(p);
	free(text);
	ir_module_free(m);
}

/* ---- damaged records ------------------------------------------------- */

static void fix_checksum(unsigned char *p, size_t n)
{
	uint64_t h = hash_bytes(p + HEADER_SIZE, n, 0);

	for (int i = 0; i < 8; i++)
		p[24 + i] = (unsigned char)(h >> 8 * i);
}

TEST(record_is_cut_short)
{
	struct ir_module *m = everything(), *r;
	struct sbuf b = {0};
	size_t used, size;

	ir_write(m, &b);
	CHECK(ir_record_size(&size, b.s, b.n) == 0);
	CHECK_EQ_INT(size, b.n);
	for (size_t i = 0; i < b.n; i++) {
		char *copy = malloc(i + 1);	/* so that reading beyond is seen */

		memcpy(copy, b.s, i);
		CHECK(ir_record_size(&size, copy, i) < 0);
		CHECK(ir_read(&r, &used, copy, i) < 0);
		free(copy);
	}
	sbuf_release(&b);
	ir_module_free(m);
}

/* What follows a record does not matter: the linker concatenates them. */
TEST(records_in_a_row)
{
	struct ir_module *m = everything(), *r;
	struct sbuf b = {0};
	size_t used, first;

	ir_write(m, &b);
	first = b.n;
	ir_write(m, &b);
	CHECK_EQ_INT(b.n, 2 * first);
	CHECK(ir_read(&r, &used, b.s, b.n) == 0);
	CHECK_EQ_INT(used, first);
	ir_module_free(r);
	CHECK(ir_read(&r, &used, b.s + used, b.n - used) == 0);
	check_equal(m, r);
	ir_module_free(r);
	sbuf_release(&b);
	ir_module_free(m);
}

TEST(header_is_checked)
{
	struct ir_module *m = everything(), *r;
	struct sbuf b = {0};
	char other[80];
	size_t used;

	ir_write(m, &b);
	CHECK(ir_read(&r, &used, "", 0) < 0);
	CHECK_EQ_STR(error_last(), "not a leak IR record");
	b.s[8]++;
	CHECK(ir_read(&r, &used, b.s, b.n) < 0);
	snprintf(other, sizeof(other), "of version %d, this plumb reads version %d", IR_VERSION + 1, IR_VERSION);
	CHECK(strstr(error_last(), other));
	b.s[8]--;
	b.s[16]--;
	CHECK(ir_read(&r, &used, b.s, b.n) < 0);
	CHECK_EQ_STR(error_last(), "leak IR record is damaged: wrong checksum");
	b.s[16]++;
	b.s[23] = 127;
	CHECK(ir_read(&r, &used, b.s, b.n) < 0);
	CHECK(strstr(error_last(), "cut short"));
	b.s[23] = 0;
	b.s[40] ^= 1;
	CHECK(ir_read(&r, &used, b.s, b.n) < 0);
	CHECK_EQ_STR(error_last(), "leak IR record is damaged: wrong checksum");
	b.s[40] ^= 1;
	CHECK(ir_read(&r, &used, b.s, b.n) == 0);
	ir_module_free(r);
	sbuf_release(&b);
	ir_module_free(m);
}

/* Every byte changed in turn, with and without a right checksum: an error, or
 * something that all of src/ir can work with. */
TEST(every_byte_flipped)
{
	static const unsigned char by[] = { 1, 2, 0x80, 0xff };
	struct ir_module *m = everything(), *r;
	struct sbuf b = {0};
	size_t used, body, good = 0;

	ir_write(m, &b);
	body = (unsigned char)b.s[16] | (size_t)(unsigned char)b.s[17] << 8;
	for (size_t i = 0; i < b.n; i++) {
		for (size_t k = 0; k < ARRAY_LEN(by); k++) {
			struct sbuf again = {0};

			b.s[i] ^= (char)by[k];
			if (i < HEADER_SIZE + body) {
				CHECK(ir_read(&r, &used, b.s, b.n) < 0);
			} else {
				CHECK(ir_read(&r, &used, b.s, b.n) == 0);	/* padding */
				check_equal(m, r);
				ir_module_free(r);
			}
			fix_checksum((unsigned char *)b.s, body);
			if (i >= HEADER_SIZE && ir_read(&r, &used, b.s, b.n) == 0) {
				good++;
				ir_write(r, &again);
				free(to_text(r, IR_PRINT_ALL));
				ir_module_free(r);
			}
			sbuf_release(&again);
			b.s[i] ^= (char)by[k];
			fix_checksum((unsigned char *)b.s, body);
		}
	}
	CHECK(good > 0);	/* line numbers, names, ... */
	sbuf_release(&b);
	ir_module_free(m);
}

/* A count of billions in a short record must not be believed. */
TEST(huge_counts)
{
	struct ir_module *m = everything(), *r;
	struct sbuf b = {0};
	size_t used, body;

	ir_write(m, &b);
	body = (unsigned char)b.s[16] | (size_t)(unsigned char)b.s[17] << 8;
	for (size_t i = HEADER_SIZE; i + 5 < HEADER_SIZE + body; i++) {
		char old[5];

		memcpy(old, b.s + i, 5);
		memcpy(b.s + i, "\xff\xff\xff\xff\x0f", 5);
		fix_checksum((unsigned char *)b.s, body);
		if (ir_read(&r, &used, b.s, b.n) == 0)
			ir_module_free(r);
		memcpy(b.s + i, old, 5);
	}
	sbuf_release(&b);
	ir_module_free(m);
}
