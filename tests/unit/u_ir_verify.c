/*
 * u_ir_verify.c - every rule of the verifier, broken once.
 *
 * One valid module has an instance of everything; each test changes one thing in
 * it and expects the complaint.
 */
#include "u_ir.h"

#include "base/mem.h"

/* main's instructions, by number */
enum {
	STORE, LOAD, FIELD, ELEM, ALLOCA, CAST, BIN, CMP, SELECT, CALL, EXTRACT, CONDBR,	/* block 0 */
	SWITCH,		/* block 1 */
	BR2,		/* block 2 */
	PHI, MEMCPY, MEMSET, COPY, RET,	/* block 3 */
};

static const char text[] =
	"unit 0 \"/a.c\" dir \"/\"\n"
	"file f0 \"/a.c\"\n"
	"type t1 = int \"int\" size 4\n"
	"type t2 = struct \"s\" size 16 {\n"
	"	+0 a: t1\n"
	"	+4 bits: t1 bits 0:3\n"
	"	+8 p: t3\n"
	"}\n"
	"type t3 = ptr t2 size 8\n"
	"type t4 = array t1 count 4 size 16\n"
	"type t5 = func t1 (t3)\n"
	"type t6 = typedef \"s_t\" t2 size 16\n"
	"type t7 = struct \"d\" declared\n"
	"global @g: t4 size 16 external @f0:1:1 {\n"
	"	+0 4 = 7\n"
	"	+8 8 = @main\n"
	"}\n"
	"global @h: t1 size 4 extern\n"
	"global @lit size 3 static string text \"hi\"\n"
	"alias @al = @main weak\n"
	"alias @h = @g+4 static\n"
	"func @main(ptr, i32) i32: t5 external @f0:1:1 {\n"
	"	slot $0 p: t3 size 8 param 1 @2:3\n"
	"	slot $1 vla: t4 size 0 dynamic\n"
	"	slot $2: t0 size 8 temp\n"
	"b0:\n"
	"	store ptr $0, %0 @3:4\n"
	"	%2 = load ptr $0\n"
	"	%3 = field %2, +8 (t6.2)\n"
	"	%4 = elem @g, 1 * 4\n"
	"	%5 = alloca 100 as $1\n"
	"	%6 = sext i64 %1 from 32\n"
	"	%7 = add i64 %6, 5\n"
	"	%8 = cmp slt i32 %1, 9\n"
	"	%9 = select ptr %8, %2, null\n"
	"	%10 = call agg @ext(%9)\n"
	"	%11 = extract i64 %10, 0\n"
	"	condbr %8, b1, b2\n"
	"b1:\n"
	"	switch %1 [1: b2, 2: b3] else b4\n"
	"b2:\n"
	"	br b3\n"
	"b3:\n"
	"	%12 = phi i64 [b1: %7, b2: %11]\n"
	"	memcpy $2, %2, 8\n"
	"	memset %2, 0, %12\n"
	"	%13 = copy i64 %12\n"
	"	ret 0\n"
	"b4:\n"
	"	unreachable\n"
	"b5:\n"
	"	%14 = copy i64 %12\n"		/* nothing gets here: it may use anything */
	"	unreachable\n"
	"}\n"
	"func @ext(ptr) agg extern\n";

struct subject {
	struct ir_module *m;
	struct ir_func *f;
	struct ir_inst *in;
	struct ir_type *t;
	struct ir_global *g;
};

static struct subject sample(void)
{
	struct ir_module *m = from_text(text);

	return (struct subject){ m, &m->funcs.v[0], m->funcs.v[0].insts, m->types.v, m->globals.v };
}

static void rejected(const char *file, int line, const struct subject *s, const char *want)
{
	if (ir_verify(s->m) == 0)
		unit_fail(file, line, "accepted; expected: %s", want);
	if (!strstr(error_last(), want))
		unit_fail(file, line, "\"%s\", expected: %s", error_last(), want);
	ir_module_free(s->m);
}

#define REJECT(change, want) do { \
	struct subject s = sample(); \
	change; \
	rejected(__FILE__, __LINE__, &s, want); \
} while (0)

TEST(sample_is_valid)
{
	struct subject s = sample();

	CHECK_EQ_INT(s.in[RET].op, IR_RET);
	round_trip(s.m);
	ir_module_free(s.m);
}

TEST(types)
{
	REJECT(s.t[0].kind = IR_T_INT, "type 0 is not");
	REJECT(s.t[1].kind = IR_T__COUNT, "type 1: bad kind");
	REJECT(s.t[1].flags = IR_TF_CONST, "type 1: bad properties");
	REJECT(s.t[1].name = NULL, "type 1: bad properties");
	REJECT(s.t[1].size = (uint64_t)1 << 50, "type 1: bad properties");
	REJECT(s.t[3].elem = 99, "type 3: bad element type");
	REJECT(s.t[1].elem = 1, "type 1: bad element type");
	REJECT(s.t[1].count = 1, "type 1: neither array nor enumeration");
	REJECT(s.t[1].first = 1, "type 1: no enumeration");
	REJECT((s.t[1].kind = IR_T_ENUM, s.t[1].flags = 0, s.t[1].count = 2, s.t[1].first = INT64_MAX), "type 1: more enumerators");
	REJECT((s.t[1].nfields = 1, s.t[1].fields = s.t[2].fields), "type 1: cannot have members");
	REJECT(s.t[2].flags = IR_TF_DECL, "type 2: only declared");
	REJECT(s.t[2].fields[1].type = 99, "type 2: bad member 1");
	REJECT(s.t[2].fields[1].name = NULL, "type 2: bad member 1");
	REJECT(s.t[2].fields[1].offset = 17, "type 2: member 1 lies outside");
	REJECT(s.t[5].fields[0].offset = 8, "type 5: a parameter has only a type");
	REJECT(s.t[2].fields[0].type = 6, "contains itself");
	REJECT(s.t[6].elem = 6, "contains itself");
	REJECT(s.t[4].elem = 4, "contains itself");
}

TEST(constants)
{
	REJECT(vec_push(&s.m->files, s.m->files.v[0]), "a file is there twice");
	REJECT(s.m->ints.v[1] = s.m->ints.v[0], "integer constant is there twice");
	REJECT(s.m->addrs.v[0].offset = 0, "address constant");
	REJECT(s.m->addrs.v[0].base = IR_REF(IR_R_GLOBAL, 9), "address constant");
	REJECT(s.m->addrs.v[0].base = IR_NULL, "address constant");
	REJECT(vec_push(&s.m->addrs, s.m->addrs.v[0]), "address constant");
}

TEST(globals)
{
	REJECT(s.g[0].name = "", "a global has no name");
	REJECT(s.g[0].src = NULL, "a global has no name");
	REJECT(s.g[0].linkage = IR_L__COUNT, "global g: bad properties");
	REJECT(s.g[0].flags = 64, "global g: bad properties");
	REJECT(s.g[0].type = 99, "global g: bad properties");
	REJECT(s.g[0].unit = 1, "global g: bad properties");
	REJECT(s.g[0].size = UINT64_MAX, "global g: bad properties");
	REJECT(s.g[0].func = 0, "global g: bad function");
	REJECT((s.g[0].flags = IR_G_LOCAL, s.g[0].func = 9), "global g: bad function");
	REJECT(s.g[2].flags = 0, "global lit: text, but no literal");
	REJECT(s.g[0].linkage = IR_L_DECL, "global g: only declared, but initialised");
	REJECT(s.g[0].pos.file = 1, "global g: bad position");
	REJECT(s.g[1].pos.line = 1, "global h: bad position");
	REJECT(s.g[0].inits[1].offset = 2, "initialiser 1 lies outside or out of order");
	REJECT(s.g[0].inits[1].offset = 9, "initialiser 1 lies outside or out of order");
	REJECT(s.g[0].inits[1].offset = UINT64_MAX, "initialiser 1 lies outside or out of order");
	REJECT(s.g[0].inits[0].size = 0, "initialiser 0 lies outside or out of order");
	REJECT(s.g[0].inits[0].value = IR_NULL, "bad initialiser 0");
	REJECT(s.g[0].inits[0].value = IR_VREG(0), "bad initialiser 0");
	REJECT(s.g[0].inits[0].value = IR_REF(IR_R_FUNC, 2), "bad initialiser 0");
}

TEST(functions)
{
	REJECT(s.f->name = "", "a function has no name");
	REJECT(s.f->linkage = IR_L_COMMON, "function main: bad properties");
	REJECT(s.f->flags = 256, "function main: bad properties");
	REJECT(s.f->unit = 1, "function main: bad properties");
	REJECT(s.f->ret_cls = IR_C__COUNT, "function main: bad properties");
	REJECT(s.f->type = 1, "function main: its type is no function type");
	REJECT(s.f->type = 99, "function main: its type is no function type");
	REJECT(s.f->params[0].cls = IR_C_AGG, "function main: bad class of parameter 0");
	REJECT(s.f->linkage = IR_L_DECL, "function main: only declared, but has a body");
	REJECT(s.f[1].linkage = IR_L_WEAK, "function ext: defined, but has no body");
}

TEST(names)
{
	REJECT(s.g[1].name = s.g[0].name, "the name g is there twice");
	REJECT(s.f[1].name = s.g[0].name, "the name g is there twice");
	REJECT(s.m->aliases.v[0].name = s.g[0].name, "the name g is there twice");
	REJECT(s.m->aliases.v[0].name = s.m->aliases.v[1].name, "the name h is there twice");
}

TEST(aliases)
{
	REJECT(s.m->aliases.v[0].linkage = IR_L_DECL, "alias al: bad properties");
	REJECT(s.m->aliases.v[0].linkage = IR_L_COMMON, "alias al: bad properties");
	REJECT(s.m->aliases.v[0].unit = 4, "alias al: bad properties");
	REJECT(s.m->aliases.v[0].name = "", "bad properties");
	REJECT(s.m->aliases.v[0].target = IR_NULL, "alias al: bad target");
	REJECT(s.m->aliases.v[0].target = IR_REF(IR_R_ADDR, 9), "alias al: bad target");
}

TEST(slots)
{
	REJECT(s.f->slots[0].name = NULL, "bad slot 0");
	REJECT(s.f->slots[0].flags = 16, "bad slot 0");
	REJECT(s.f->slots[0].type = 99, "bad slot 0");
	REJECT(s.f->slots[0].flags = IR_S_TEMP, "bad slot 0");
	REJECT(s.f->slots[0].pos.file = 7, "bad position");
}

TEST(layout)
{
	REJECT(s.f->blocks[1].first++, "bad block 1");
	REJECT(s.f->blocks[5].n = 99, "bad block 5");
	REJECT(s.f->blocks[0].n = 0, "bad block 0");
	REJECT(s.in[LOAD].op = IR__OPS, "bad instruction in block 0");
	REJECT(s.in[LOAD].block = 1, "bad instruction in block 0");
	REJECT(s.in[CONDBR].op = IR_MEMSET, "block 0 does not end in its only terminator");
	REJECT(s.in[MEMCPY].op = IR_UNREACHABLE, "block 3 does not end in its only terminator");
	REJECT(s.in[BR2].targets[0] = 6, "block 2: bad target");
	REJECT(s.in[LOAD].res = 3, "results are not numbered in order");
	REJECT(s.in[LOAD].res = IR_NONE, "results are not numbered in order");
	REJECT(s.in[STORE].res = 2, "results are not numbered in order");
	REJECT(s.in[CALL].cls = IR_C_VOID, "results are not numbered in order");
	REJECT(s.f->nvregs++, "bad number of instructions or results");
}

TEST(edges)
{
	REJECT(s.in[BR2].targets[0] = 4, "edges do not match");
	REJECT(s.f->blocks[0].nsucc = 1, "edges do not match");
	REJECT(s.f->blocks[3].pred[0] = 0, "edges do not match");
	REJECT(s.f->blocks[5].npred = 1, "edges do not match");
	REJECT(s.f->def[3] = 0, "bad definition table");
	REJECT(s.f->def[0] = 0, "bad definition table");
	REJECT((s.in[BR2].targets[0] = s.f->blocks[2].succ[0] = 0,
		s.f->blocks[0].npred = 1, s.f->blocks[0].pred = (uint32_t[]){ 2 },
		s.f->blocks[3].npred = 1), "the entry block has a predecessor");
}

TEST(instruction_properties)
{
	REJECT(s.in[LOAD].sub = 1, "bad properties");
	REJECT(s.in[LOAD].from = 1, "bad properties");
	REJECT(s.in[LOAD].imm = 1, "bad properties");
	REJECT(s.in[LOAD].type = 1, "bad properties");
	REJECT(s.in[LOAD].member = 0, "bad properties");
	REJECT(s.in[MEMCPY].cls = IR_C_INT, "bad properties");
	REJECT(s.in[MEMCPY].bits = 8, "bad properties");
	REJECT((s.in[MEMCPY].ntargets = 1, s.in[MEMCPY].targets = s.in[BR2].targets), "bad properties");
	REJECT(s.in[MEMCPY].nops = 2, "(memcpy): wrong number of operands");
	REJECT(s.in[LOAD].pos.file = 9, "bad position");
}

TEST(operands)
{
	REJECT(s.in[LOAD].ops[0] = IR_SLOT(3), "no such slot");
	REJECT(s.in[LOAD].ops[0] = IR_VREG(99), "no such vreg");
	REJECT(s.in[LOAD].ops[0] = IR_REF(IR_R_GLOBAL, 3), "bad operand");
	REJECT(s.in[LOAD].ops[0] = IR_REF(IR_R_INT, 999), "bad operand");
	REJECT(s.in[LOAD].ops[0] = IR_REF(IR_R_SPECIAL, 3), "bad operand");
	REJECT(s.in[LOAD].ops[0] = IR_REF(7, 0), "bad operand");
	REJECT(s.in[COPY].ops[0] = IR_VREG(10), "aggregate operand");
	REJECT(s.in[EXTRACT].ops[0] = IR_VREG(7), "aggregate operand");
}

TEST(classes)
{
	const char *want = "of the wrong class or width";

	REJECT(s.in[LOAD].ops[0] = IR_VREG(1), want);
	REJECT(s.in[LOAD].cls = IR_C_AGG, want);
	REJECT(s.in[STORE].bits = 32, want);
	REJECT(s.in[FIELD].ops[0] = IR_VREG(1), want);
	REJECT(s.in[ELEM].ops[1] = IR_VREG(0), want);
	REJECT(s.in[ELEM].cls = IR_C_INT, want);
	REJECT(s.in[BIN].sub = IR_B__COUNT, want);
	REJECT(s.in[BIN].ops[1] = IR_VREG(1), want);
	REJECT(s.in[BIN].cls = IR_C_FLOAT, want);
	REJECT(s.in[CMP].sub = IR_P__COUNT, want);
	REJECT(s.in[CMP].bits = 64, want);
	REJECT(s.in[SELECT].ops[0] = IR_VREG(1), want);
	REJECT(s.in[SELECT].ops[1] = IR_VREG(1), want);
	REJECT(s.in[CALL].ops[0] = IR_VREG(1), want);
	REJECT(s.in[CALL].nops = 0, want);
	REJECT(s.in[CONDBR].ops[0] = IR_VREG(1), want);
	REJECT(s.in[MEMCPY].ops[1] = IR_VREG(1), want);
	REJECT(s.in[MEMSET].ops[2] = IR_VREG(2), want);
	REJECT(s.in[COPY].bits = 32, want);
	REJECT(s.in[EXTRACT].imm = -1, want);
}

TEST(single_opcodes)
{
	REJECT(s.in[FIELD].type = 99, "no such type");
	REJECT(s.in[FIELD].type = 1, "its type has no members");
	REJECT(s.in[FIELD].member = 3, "no such member");
	REJECT(s.in[FIELD].imm = 4, "offset is not the member's");
	REJECT(s.in[CAST].sub = IR_CAST__COUNT, "bad kind of cast");
	REJECT(s.in[CAST].from = 16, "operand of another width");
	REJECT(s.in[CAST].sub = IR_CAST_PTRTOINT, "operand of the wrong class");
	REJECT(s.in[CAST].sub = IR_CAST_INTTOPTR, "result of the wrong class");
	REJECT(s.in[CAST].sub = IR_CAST_TRUNC, "bad widths");
	REJECT(s.in[ALLOCA].imm = 0, "its slot is none of dynamic size");
	REJECT(s.in[ALLOCA].imm = 3, "its slot is none of dynamic size");
	REJECT(s.in[ALLOCA].imm = -1, "its slot is none of dynamic size");
	REJECT(s.in[ALLOCA].ops[0] = IR_VREG(0), "size is no integer");
	REJECT((s.in[PHI].nops = s.in[PHI].ntargets = 1), "does not match the predecessors");
	REJECT((s.in[PHI].targets = (uint32_t[]){ 2, 1 }), "does not match the predecessors");
	REJECT(s.in[PHI].ops[0] = IR_VREG(1), "operand of another class or width");
	REJECT(s.in[RET].nops = 0, "wrong number of results");
	REJECT(s.in[RET].ops[0] = IR_VREG(0), "result of another class or width");
	REJECT(s.in[SWITCH].nops = 2, "wrong number of targets");
	REJECT(s.in[SWITCH].ops[1] = IR_VREG(1), "case is no constant");
	REJECT(s.in[SWITCH].ops[0] = IR_VREG(0), "value is no integer");
	/* an extract of the width of a phi, so that only its place is wrong */
	REJECT((s.in[COPY].op = IR_PHI, s.in[COPY].nops = s.in[COPY].ntargets = 2,
		s.in[COPY].ops = s.in[PHI].ops, s.in[COPY].targets = s.in[PHI].targets),
	       "not at the start of its block");
}

/* Bit fields are read where clang likes. */
TEST(bit_field_offset)
{
	struct subject s = sample();

	s.in[FIELD].member = 1;
	s.in[FIELD].imm = 5;
	check_valid(s.m);
	ir_module_free(s.m);
}

TEST(values_exist_where_used)
{
	const char *want = "which does not exist there";

	REJECT(s.in[BIN].ops[0] = IR_VREG(7), want);		/* itself */
	REJECT(s.in[BIN].ops[0] = IR_VREG(11), want);		/* later in the block */
	REJECT(s.in[BIN].ops[0] = IR_VREG(13), want);		/* a block that does not dominate */
	REJECT(s.in[PHI].ops[1] = IR_VREG(13), want);		/* not at the end of that block */
	REJECT(s.in[COPY].ops[0] = IR_VREG(14), want);		/* from where nothing gets */
}

/* A diamond: neither side dominates the end, the top does. */
TEST(dominance)
{
	static const char body[] =
		"func @f(i1) i32 external {\n"
		"b0:\n	%1 = copy i32 1\n	condbr %0, b1, b2\n"
		"b1:\n	%2 = copy i32 %1\n	br b3\n"
		"b2:\n	br b3\n"
		"b3:\n	ret %1\n"
		"}\n";
	struct ir_module *m = from_text(body);

	m->funcs.v[0].insts[5].ops[0] = IR_VREG(2);
	CHECK(ir_verify(m) < 0);
	CHECK_EQ_STR(error_last(), "function f: instruction 5 uses %2, which does not exist there");
	ir_module_free(m);
}
