/*
 * u_ir_expr.c - operands as source text, in the shapes that clang -O0 makes.
 */
#include "u_ir.h"

#include "base/mem.h"

/* One function whose slots and types the snippets below use.  A snippet is the
 * function's body; its last value is the one that is asked for. */
#define HEAD \
	"type t1 = int \"int\" size 4\n" \
	"type t2 = int \"char\" size 1 char\n" \
	"type t3 = ptr t2 size 8\n" \
	"type t4 = struct \"node\" size 80 {\n" \
	"	+0 name: t3\n" \
	"	+8 next: t5\n" \
	"	+16 low: t1 bits 0:3\n" \
	"	+16 high: t1 bits 3:5\n" \
	"	+24 \"\": t6\n" \
	"	+32 buf: t7\n" \
	"	+48 in: t8\n" \
	"	+64 fn: t9\n" \
	"}\n" \
	"type t5 = ptr t4 size 8\n" \
	"type t6 = union size 8 {\n	+0 i: t1\n	+0 s: t3\n}\n" \
	"type t7 = array t2 count 16 size 16\n" \
	"type t8 = struct \"inner\" size 16 {\n	+0 x: t1\n	+8 p: t3\n}\n" \
	"type t9 = ptr t10 size 8\n" \
	"type t10 = func t1 (t3)\n" \
	"type t11 = ptr t3 size 8\n" \
	"type t12 = array t4 count 3 size 240\n" \
	"type t13 = typedef \"size_t\" t14\n" \
	"type t14 = int \"unsigned long\" size 8 unsigned\n" \
	"type t15 = int \"_Bool\" size 1 bool unsigned\n" \
	"type t16 = array t17 count 2 size 32\n" \
	"type t17 = array t1 count 4 size 16\n" \
	"type t18 = ptr t17 size 8\n" \
	"type t19 = func t13 (t3)\n" \
	"type t20 = void\n" \
	"type t21 = ptr t20 size 8\n" \
	"type t22 = func t3 (t3, t2)\n" \
	"global @count: t1 size 4 external\n" \
	"global @table: t12 size 240 external\n" \
	"global @.str: t7 size 4 static string text \"a\\n\\\"\\\\\"\n" \
	"global @f.last: t5 size 8 static local in @f src \"last\"\n" \
	"global @long: t7 size 100 static string " \
	"text \"123456789012345678901234567890123456789012345678901234567890123\"\n" \
	"func @strlen(ptr) i64: t19 extern\n" \
	"func @malloc(i64) ptr extern\n" \
	"func @make(ptr sret, i32) void extern\n" \
	"func @__errno_location() ptr extern\n" \
	"func @strchr(ptr, i32) ptr: t22 extern\n" \
	"func @f(ptr, i32, ptr, ptr) void external {\n" \
	"	slot $0 p: t5 size 8 param 1\n" \
	"	slot $1 n: t1 size 4 param 2\n" \
	"	slot $2 argv: t11 size 8 param 3\n" \
	"	slot $3 out: t11 size 8 param 4\n" \
	"	slot $4 s: t3 size 8\n" \
	"	slot $5 node: t4 size 80\n" \
	"	slot $6 arr: t12 size 240\n" \
	"	slot $7 buf: t7 size 16\n" \
	"	slot $8 i: t1 size 4\n" \
	"	slot $9 len: t13 size 8\n" \
	"	slot $10 flag: t15 size 1\n" \
	"	slot $11 m: t16 size 32\n" \
	"	slot $12 row: t18 size 8\n" \
	"	slot $13: t0 size 8 temp\n" \
	"	slot $14 vla: t7 size 0 dynamic\n" \
	"	slot $15 c: t2 size 1\n" \
	"	slot $16 v: t21 size 8\n" \
	"b0:\n"

struct subject {
	struct ir_module *m;
	const struct ir_func *f;
	struct sbuf text;
};

static struct subject parse_body(const char *body)
{
	struct subject s = {0};
	struct sbuf b = {0};

	sbuf_printf(&b, HEAD "%s\n}\n", body);
	s.m = from_text(b.s);
	s.f = &s.m->funcs.v[ir_find_func(s.m, "f")];
	sbuf_release(&b);
	return s;
}

static void release(struct subject *s)
{
	ir_module_free(s->m);
	sbuf_release(&s->text);
}

/* The last value before the end of the body. */
static ir_ref last_value(const struct ir_func *f)
{
	CHECK(f->nvregs > f->nparams);
	return IR_VREG(f->nvregs - 1);
}

enum form { VALUE, OBJECT, TRUE, FALSE, FIRST };

static void check(const char *file, int line, enum form form, const char *body, const char *want, bool faithful)
{
	struct subject s = parse_body(body);
	ir_ref r = form == FIRST ? s.f->insts[0].ops[1] : last_value(s.f);
	bool got;

	if (form == VALUE || form == FIRST)
		got = ir_expr(&s.text, s.m, s.f, r);
	else if (form == OBJECT)
		got = ir_expr_lvalue(&s.text, s.m, s.f, r);
	else
		got = ir_expr_cond(&s.text, s.m, s.f, r, form == TRUE);
	if (strcmp(sbuf_str(&s.text), want))
		unit_fail(file, line, "\"%s\", expected \"%s\"", sbuf_str(&s.text), want);
	if (got != faithful)
		unit_fail(file, line, "\"%s\" is %sfaithful", want, got ? "" : "not ");
	release(&s);
}

#define EXPECT(form, body, want) check(__FILE__, __LINE__, form, body "\nunreachable", want, true)
#define UNSURE(form, body, want) check(__FILE__, __LINE__, form, body "\nunreachable", want, false)
/* A constant: the value of a store. */
#define CONSTANT(op, want) check(__FILE__, __LINE__, FIRST, "store ptr $13, " op "\nunreachable", want, true)

/* ---- constants ------------------------------------------------------- */

TEST(constants)
{
	CONSTANT("42", "42");
	CONSTANT("-1", "-1");
	CONSTANT("null", "NULL");
	CONSTANT("@count", "&count");
	CONSTANT("@table", "table");
	CONSTANT("@f.last", "&last");
	CONSTANT("@malloc", "malloc");
	CONSTANT("@.str", "\"a\\n\\\"\\\\\"");
	CONSTANT("@.str+1", "\"a\\n\\\"\\\\\" + 1");
	CONSTANT("@table+80", "&table[1]");
	CONSTANT("@table+88", "&table[1].next");
	CONSTANT("@table+208", "&table[2].in");
	CONSTANT("@table+216", "&table[2].in.p");
	CONSTANT("@table+192", "table[2].buf");
	CONSTANT("$0", "&p");
	CONSTANT("$7", "buf");
}

TEST(unknown_things)
{
	UNSURE(VALUE, "%4 = copy ptr undef", "...");
	UNSURE(VALUE, "%4 = load ptr $13", "...");
	UNSURE(VALUE, "%4 = opaque i32 %1", "...");
	UNSURE(VALUE, "%4 = copy ptr @malloc+4", "&...");
	UNSURE(VALUE, "%4 = copy ptr @long", "\"1234567890123456789012345678901234567890...\"");
	UNSURE(OBJECT, "%4 = load ptr $13\n%5 = field %4, +8 (t4.1)", "...->next");
	UNSURE(OBJECT, "%4 = load ptr $0\n%5 = field %4, +4", "p->...");
}

/* ---- objects --------------------------------------------------------- */

TEST(variables)
{
	EXPECT(VALUE, "%4 = load i32 $1", "n");
	EXPECT(VALUE, "%4 = load i32 @count", "count");
	EXPECT(VALUE, "%4 = load ptr @f.last", "last");
	EXPECT(VALUE, "store ptr $0, %0\n%4 = copy ptr %0", "p");
	UNSURE(VALUE, "%4 = copy ptr %0", "...");
	EXPECT(VALUE, "%4 = alloca 10 as $14", "vla");
}

TEST(members)
{
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +0 (t4.0)\n%6 = load ptr %5", "p->name");
	EXPECT(OBJECT, "%4 = load ptr $0\n%5 = field %4, +0 (t4.0)", "p->name");
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +0 (t4.0)", "&p->name");
	EXPECT(VALUE, "%4 = field $5, +0 (t4.0)\n%5 = load ptr %4", "node.name");
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +8 (t4.1)\n%6 = load ptr %5\n"
		      "%7 = field %6, +8 (t4.1)\n%8 = load ptr %7\n%9 = field %8, +0 (t4.0)\n%10 = load ptr %9",
	       "p->next->next->name");
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +48 (t4.6)\n%6 = field %5, +8 (t8.1)\n%7 = load ptr %6",
	       "p->in.p");
	/* an array member is its own address */
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +32 (t4.5)", "p->buf");
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +32 (t4.5)\n%6 = elem %5, 0 * 1", "p->buf");
	/* through an unnamed union, to it as a whole */
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +24 (t4.4)\n%6 = field %5, +0 (t6.1)\n%7 = load ptr %6",
	       "p->s");
	EXPECT(VALUE, "%4 = field $5, +24 (t4.4)\n%5 = field %4, +0 (t6.0)\n%6 = load i32 %5", "node.i");
	UNSURE(VALUE, "%4 = load ptr $0\n%5 = field %4, +24 (t4.4)", "&p->...");
	EXPECT(OBJECT, "%4 = field @table, +0 (t4.0)", "table.name");
}

TEST(pointers)
{
	EXPECT(OBJECT, "%4 = load ptr $3", "*out");
	EXPECT(VALUE, "%4 = load ptr $3\n%5 = load ptr %4", "*out");
	EXPECT(VALUE, "%4 = load ptr $3\n%5 = load ptr %4\n%6 = load i8 %5", "**out");
	EXPECT(VALUE, "%4 = load ptr $2\n%5 = index %4, 1 * 8\n%6 = load ptr %5", "argv[1]");
	EXPECT(VALUE, "%4 = load ptr $2\n%5 = load i32 $8\n%6 = sext i64 %5 from 32\n%7 = index %4, %6 * 8\n"
		      "%8 = load ptr %7\n%9 = index %8, 0 * 1\n%10 = load i8 %9", "argv[i][0]");
	EXPECT(VALUE, "%4 = load ptr $2\n%5 = index %4, 1 * 8", "argv + 1");
	EXPECT(VALUE, "%4 = load ptr $2\n%5 = index %4, -1 * 8", "argv - 1");
	EXPECT(OBJECT, "%4 = load ptr $0\n%5 = index %4, 2 * 80\n%6 = field %5, +0 (t4.0)", "p[2].name");
	EXPECT(OBJECT, "%4 = load ptr $0\n%5 = field %4, +8 (t4.1)\n%6 = load ptr %5", "*p->next");
	/* arithmetic in bytes on a pointer to something larger */
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = index %4, 16 * 1", "(char *)p + 16");
	EXPECT(OBJECT, "%4 = load ptr $0\n%5 = index %4, 16 * 1", "((char *)p)[16]");
	EXPECT(VALUE, "%4 = load ptr $16\n%5 = index %4, 16 * 1", "v + 16");
	UNSURE(VALUE, "%4 = load ptr $0\n%5 = index %4, 16 * 4", "p + 16");
}

TEST(arrays)
{
	EXPECT(VALUE, "%4 = elem $7, 3 * 1\n%5 = load i8 %4", "buf[3]");
	EXPECT(VALUE, "%4 = elem $7, 0 * 1", "buf");
	EXPECT(VALUE, "%4 = elem $7, 3 * 1", "&buf[3]");
	EXPECT(VALUE, "%4 = elem $7, 0 * 1\n%5 = load i32 $1\n%6 = sext i64 %5 from 32\n%7 = index %4, %6 * 1",
	       "buf + n");
	EXPECT(OBJECT, "%4 = load i32 $8\n%5 = sext i64 %4 from 32\n%6 = elem $6, %5 * 80\n%7 = field %6, +0 (t4.0)",
	       "arr[i].name");
	EXPECT(VALUE, "%4 = load i32 $8\n%5 = sext i64 %4 from 32\n%6 = elem $11, %5 * 16\n%7 = elem %6, 2 * 4\n"
		      "%8 = load i32 %7", "m[i][2]");
	EXPECT(VALUE, "%4 = load ptr $12\n%5 = elem %4, 2 * 4\n%6 = load i32 %5", "(*row)[2]");
	EXPECT(VALUE, "%4 = load ptr $12\n%5 = index %4, 1 * 16\n%6 = elem %5, 2 * 4\n%7 = load i32 %6", "row[1][2]");
	EXPECT(VALUE, "%4 = load ptr $12\n%5 = index %4, 1 * 16", "row[1]");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = sub i32 %4, 1\n%6 = sext i64 %5 from 32\n%7 = elem $7, %6 * 1\n"
		      "%8 = load i8 %7", "buf[n - 1]");
}

/* ---- operators ------------------------------------------------------- */

TEST(arithmetic)
{
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = add i32 %4, 1", "n + 1");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = add i32 %4, -1", "n - 1");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = sub i32 %4, -1", "n + 1");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = sub i32 0, %4", "-n");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = xor i32 %4, -1", "~n");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = load i32 $8\n%6 = add i32 %4, %5\n%7 = mul i32 %6, 2", "(n + i) * 2");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = load i32 $8\n%6 = mul i32 %4, %5\n%7 = add i32 %6, 2", "n * i + 2");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = load i32 $8\n%6 = sub i32 %4, %5\n%7 = sub i32 %4, %6", "n - (n - i)");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = shl i32 1, %4\n%6 = or i32 %5, 4\n%7 = and i32 %6, 7",
	       "(1 << n | 4) & 7");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = udiv i32 %4, 3\n%6 = srem i32 %5, 2\n%7 = ashr i32 %6, 1",
	       "n / 3 % 2 >> 1");
	EXPECT(VALUE, "%4 = load ptr $4\n%5 = call i64 @strlen(%4)\n%6 = add i64 %5, 1", "strlen(s) + 1");
	/* casts are not written */
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = sext i64 %4 from 32\n%6 = mul i64 %5, 8\n%7 = trunc i32 %6 from 64",
	       "n * 8");
	/* differences of pointers */
	EXPECT(VALUE, "%4 = load ptr $4\n%5 = elem $7, 0 * 1\n%6 = ptrtoint i64 %4 from 64\n"
		      "%7 = ptrtoint i64 %5 from 64\n%8 = sub i64 %6, %7", "s - buf");
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = load ptr @f.last\n%6 = ptrtoint i64 %4 from 64\n"
		      "%7 = ptrtoint i64 %5 from 64\n%8 = sub i64 %6, %7\n%9 = sdiv i64 %8, 80", "p - last");
}

TEST(calls)
{
	EXPECT(VALUE, "%4 = load i64 $9\n%5 = call ptr @malloc(%4)", "malloc(len)");
	EXPECT(VALUE, "%4 = load ptr $4\n%5 = call i64 @strlen(%4)\n%6 = add i64 %5, 1\n%7 = call ptr @malloc(%6)",
	       "malloc(strlen(s) + 1)");
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +64 (t4.7)\n%6 = load ptr %5\n%7 = load ptr $4\n"
		      "%8 = call i32 %6(%7)", "p->fn(s)");
	EXPECT(VALUE, "%4 = load ptr $4\n%5 = call ptr @strchr(%4, 47)", "strchr(s, '/')");
	EXPECT(TRUE, "%4 = call ptr @__errno_location()\n%5 = load i32 %4\n%6 = cmp eq i32 %5, 4", "errno == 4");
	EXPECT(VALUE, "%4 = call i32 @make($5, 3)", "make(3)");	/* the result's memory is not an argument */
}

TEST(steps)
{
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = add i32 %4, 1\nstore i32 $1, %5", "++n");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = add i32 %4, -1\nstore i32 $1, %5\n%6 = copy i32 %4", "n--");
	EXPECT(VALUE, "%4 = load ptr $4\n%5 = index %4, 1 * 1\nstore ptr $4, %5\n%6 = load i8 %4", "*s++");
	EXPECT(OBJECT, "%4 = load ptr $4\n%5 = index %4, 1 * 1\nstore ptr $4, %5\n%6 = copy ptr %4", "*s++");
	EXPECT(VALUE, "%4 = load ptr $4\n%5 = index %4, 1 * 1\nstore ptr $4, %5\n%6 = load i8 %5", "*++s");
	EXPECT(TRUE, "%4 = load i32 $1\n%5 = add i32 %4, -1\nstore i32 $1, %5\n%6 = cmp eq i32 %5, 0", "--n == 0");
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +48 (t4.6)\n%6 = field %5, +0 (t8.0)\n%7 = load i32 %6\n"
		      "%8 = add i32 %7, 1\nstore i32 %6, %8", "++p->in.x");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = add i32 %4, 1\nstore i32 $8, %5", "n + 1");
}

TEST(bit_fields)
{
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +16 (t4.2)\n%6 = load i8 %5\n%7 = and i8 %6, 7", "p->low");
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +16\n%6 = load i8 %5\n%7 = lshr i8 %6, 3\n%8 = and i8 %7, 31",
	       "p->high");
	EXPECT(VALUE, "%4 = field $5, +16\n%5 = load i8 %4\n%6 = lshr i8 %5, 3", "node.high");
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = field %4, +16\n%6 = load i8 %5\n%7 = shl i8 %6, 5\n%8 = ashr i8 %7, 5",
	       "p->low");
	/* stored to: the place, and the value that goes there */
	static const struct { const char *body, *value; } stores[] = {
		{ "%7 = and i8 %6, 7\n%8 = or i8 %7, 8\nstore i8 %5, %8", "1" },
		{ "%7 = load i8 $15\n%8 = and i8 %6, 7\n%9 = and i8 %7, 31\n%10 = shl i8 %9, 3\n"
		  "%11 = or i8 %8, %10\nstore i8 %5, %11", "c" },
		{ "%7 = and i8 %6, 7\nstore i8 %5, %7", "0" },
	};
	for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
		struct sbuf b = {0};
		struct subject s;

		sbuf_printf(&b, "%%4 = load ptr $0\n%%5 = field %%4, +16\n%%6 = load i8 %%5\n%s\nunreachable",
			    stores[i].body);
		s = parse_body(b.s);
		CHECK(ir_expr_lvalue(&s.text, s.m, s.f, IR_VREG(5)));
		CHECK_EQ_STR(sbuf_str(&s.text), "p->high");
		sbuf_clear(&s.text);
		CHECK(ir_expr(&s.text, s.m, s.f, s.f->insts[s.f->ninsts - 2].ops[1]));
		CHECK_EQ_STR(sbuf_str(&s.text), stores[i].value);
		release(&s);
		sbuf_release(&b);
	}
}

/* ---- conditions ------------------------------------------------------ */

static void both(const char *file, int line, const char *body, const char *yes, const char *no)
{
	check(file, line, TRUE, body, yes, true);
	check(file, line, FALSE, body, no, true);
}
#define BOTH(body, yes, no) both(__FILE__, __LINE__, body "\nunreachable", yes, no)

TEST(comparisons)
{
	BOTH("%4 = load i32 $1\n%5 = cmp slt i32 %4, 0", "n < 0", "n >= 0");
	BOTH("%4 = load i32 $1\n%5 = cmp sge i32 %4, 10", "n >= 10", "n < 10");
	BOTH("%4 = load i64 $9\n%5 = cmp ugt i64 %4, 10", "len > 10", "len <= 10");
	BOTH("%4 = load i64 $9\n%5 = cmp ule i64 %4, 10", "len <= 10", "len > 10");
	BOTH("%4 = load i32 $1\n%5 = load i32 $8\n%6 = cmp eq i32 %4, %5", "n == i", "n != i");
	BOTH("%4 = load i32 $1\n%5 = and i32 %4, 4\n%6 = cmp eq i32 %5, 4", "(n & 4) == 4", "(n & 4) != 4");
	BOTH("%4 = load i32 $1\n%5 = add i32 %4, 4\n%6 = cmp slt i32 %5, 4", "n + 4 < 4", "n + 4 >= 4");
	BOTH("%4 = load i8 $15\n%5 = sext i32 %4 from 8\n%6 = cmp eq i32 %5, 10", "c == '\\n'", "c != '\\n'");
	BOTH("%4 = load ptr $4\n%5 = load i8 %4\n%6 = sext i32 %5 from 8\n%7 = cmp ne i32 %6, 39",
	     "*s != '\\''", "*s == '\\''");
	BOTH("%4 = load i8 $15\n%5 = sext i32 %4 from 8\n%6 = cmp sgt i32 %5, 200", "c > 200", "c <= 200");
}

TEST(tests_against_null)
{
	BOTH("%4 = load ptr $0\n%5 = cmp ne ptr %4, null", "p", "!p");
	BOTH("%4 = load ptr $0\n%5 = cmp eq ptr %4, null", "p == NULL", "p != NULL");
	BOTH("%4 = load i32 $1\n%5 = cmp ne i32 %4, 0", "n", "!n");
	BOTH("%4 = load i32 $1\n%5 = cmp eq i32 %4, 0", "n == 0", "n != 0");
	BOTH("%4 = load ptr $0\n%5 = field %4, +0 (t4.0)\n%6 = load ptr %5\n%7 = cmp ne ptr %6, null",
	     "p->name", "!p->name");
	BOTH("%4 = load i32 $1\n%5 = and i32 %4, 4\n%6 = cmp ne i32 %5, 0", "n & 4", "!(n & 4)");
	BOTH("%4 = load ptr $3\n%5 = load ptr %4\n%6 = cmp ne ptr %5, null", "*out", "!*out");
}

TEST(truth_values)
{
	/* _Bool */
	BOTH("%4 = load i8 $10\n%5 = trunc i1 %4 from 8", "flag", "!flag");
	/* !p */
	BOTH("%4 = load ptr $0\n%5 = cmp ne ptr %4, null\n%6 = xor i1 %5, -1", "!p", "p");
	/* !!(n > 3), as __builtin_expect makes it */
	BOTH("%4 = load i32 $1\n%5 = cmp sgt i32 %4, 3\n%6 = xor i1 %5, -1\n%7 = xor i1 %6, 1\n"
	     "%8 = zext i32 %7 from 1\n%9 = sext i64 %8 from 32\n%10 = cmp ne i64 %9, 0", "n > 3", "n <= 3");
	BOTH("%4 = load i32 $1\n%5 = cmp sgt i32 %4, 3\n%6 = zext i32 %5 from 1\n%7 = cmp eq i32 %6, 0",
	     "n <= 3", "n > 3");
	/* as a value, a comparison is written out */
	EXPECT(VALUE, "%4 = load ptr $0\n%5 = cmp ne ptr %4, null\n%6 = zext i32 %5 from 1", "p != NULL");
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = cmp ne i32 %4, 0\n%6 = xor i1 %5, -1\n%7 = zext i32 %6 from 1", "!n");
	BOTH("%4 = load i32 $1\n%5 = cmp sgt i32 %4, 3\n%6 = load i8 $10\n%7 = trunc i1 %6 from 8\n"
	     "%8 = and i1 %5, %7", "n > 3 & flag", "!(n > 3 & flag)");
}

/* if ((p = f()) == NULL): the condition is about p. */
TEST(assignment_in_condition)
{
	BOTH("%4 = call ptr @malloc(8)\nstore ptr $0, %4\n%5 = cmp eq ptr %4, null", "p == NULL", "p != NULL");
	BOTH("%4 = call ptr @malloc(8)\n%5 = load ptr $0\n%6 = field %5, +0 (t4.0)\nstore ptr %6, %4\n"
	     "%7 = cmp ne ptr %4, null", "p->name", "!p->name");
	BOTH("%4 = load ptr $0\n%5 = field %4, +8 (t4.1)\n%6 = load ptr %5\nstore ptr $0, %6\n"
	     "%7 = cmp ne ptr %6, null", "p", "!p");
	BOTH("%4 = call ptr @malloc(8)\n%5 = cmp eq ptr %4, null\nstore ptr $0, %4",
	     "malloc(8) == NULL", "malloc(8) != NULL");	/* stored after the test */
	/* but the value that is assigned is what it is */
	EXPECT(VALUE, "%4 = call ptr @malloc(8)\nstore ptr $0, %4", "malloc(8)");
}

TEST(short_circuit)
{
	const char *and = "%4 = load ptr $0\n%5 = cmp ne ptr %4, null\ncondbr %5, b1, b2\n"
			  "b1:\n%6 = load i32 $1\n%7 = cmp slt i32 %6, 0\nbr b2\n"
			  "b2:\n%8 = phi i1 [b0: 0, b1: %7]\nunreachable";
	const char *or = "%4 = load ptr $0\n%5 = cmp ne ptr %4, null\ncondbr %5, b2, b1\n"
			 "b1:\n%6 = load i32 $1\n%7 = cmp slt i32 %6, 0\nbr b2\n"
			 "b2:\n%8 = phi i1 [b0: -1, b1: %7]\nunreachable";
	const char *three = "%4 = load ptr $0\n%5 = cmp ne ptr %4, null\ncondbr %5, b1, b3\n"
			    "b1:\n%6 = load i32 $1\n%7 = cmp slt i32 %6, 0\ncondbr %7, b2, b3\n"
			    "b2:\n%8 = load i8 $10\n%9 = trunc i1 %8 from 8\nbr b3\n"
			    "b3:\n%10 = phi i1 [b0: 0, b1: 0, b2: %9]\n%11 = zext i32 %10 from 1\nunreachable";
	/* (p || n < 0) && flag */
	const char *mixed = "%4 = load ptr $0\n%5 = cmp ne ptr %4, null\ncondbr %5, b2, b1\n"
			    "b1:\n%6 = load i32 $1\n%7 = cmp slt i32 %6, 0\ncondbr %7, b2, b3\n"
			    "b2:\n%8 = load i8 $10\n%9 = trunc i1 %8 from 8\nbr b3\n"
			    "b3:\n%10 = phi i1 [b1: 0, b2: %9]\nunreachable";
	/* (p && n < 0) || (i && flag): a phi inside */
	const char *nested = "%4 = load ptr $0\n%5 = cmp ne ptr %4, null\ncondbr %5, b1, b2\n"
			     "b1:\n%6 = load i32 $1\n%7 = cmp slt i32 %6, 0\ncondbr %7, b5, b2\n"
			     "b2:\n%8 = load i32 $8\n%9 = cmp ne i32 %8, 0\ncondbr %9, b3, b4\n"
			     "b3:\n%10 = load i8 $10\n%11 = trunc i1 %10 from 8\nbr b4\n"
			     "b4:\n%12 = phi i1 [b2: 0, b3: %11]\nbr b5\n"
			     "b5:\n%13 = phi i1 [b1: -1, b4: %12]\nunreachable";
	/* !p && n < 0: the branch is the other way round */
	const char *not = "%4 = load ptr $0\n%5 = cmp ne ptr %4, null\ncondbr %5, b2, b1\n"
			  "b1:\n%6 = load i32 $1\n%7 = cmp slt i32 %6, 0\nbr b2\n"
			  "b2:\n%8 = phi i1 [b0: 0, b1: %7]\nunreachable";
	/* p && (n = 1, 1), as in loops over lists */
	const char *comma = "%4 = load ptr $0\n%5 = cmp ne ptr %4, null\ncondbr %5, b1, b2\n"
			    "b1:\nstore i32 $1, 1\nbr b2\n"
			    "b2:\n%6 = phi i1 [b0: 0, b1: -1]\nunreachable";
	/* something else comes in from the side */
	const char *side = "%4 = load ptr $0\n%5 = cmp ne ptr %4, null\ncondbr %5, b1, b2\n"
			   "b1:\n%6 = load i32 $1\n%7 = cmp slt i32 %6, 0\nbr b2\n"
			   "b2:\n%8 = phi i1 [b0: 0, b1: %7, b3: 0]\nunreachable\nb3:\nbr b2";

	both(__FILE__, __LINE__, and, "p && n < 0", "!(p && n < 0)");
	both(__FILE__, __LINE__, or, "p || n < 0", "!(p || n < 0)");
	check(__FILE__, __LINE__, VALUE, three, "p && n < 0 && flag", true);
	check(__FILE__, __LINE__, VALUE, mixed, "(p || n < 0) && flag", true);
	check(__FILE__, __LINE__, VALUE, nested, "(p && n < 0) || (i && flag)", true);
	check(__FILE__, __LINE__, VALUE, not, "!p && n < 0", true);
	check(__FILE__, __LINE__, TRUE, comma, "p", true);
	check(__FILE__, __LINE__, VALUE, side, "...", false);
}

TEST(choices)
{
	const char *phi = "%4 = load i32 $1\n%5 = cmp sgt i32 %4, 3\ncondbr %5, b1, b2\n"
			  "b1:\n%6 = load ptr $4\nbr b3\n"
			  "b2:\n%7 = elem $7, 0 * 1\nbr b3\n"
			  "b3:\n%8 = phi ptr [b1: %6, b2: %7]\nunreachable";
	const char *swapped = "%4 = load i32 $1\n%5 = cmp ne i32 %4, 0\ncondbr %5, b2, b1\n"
			      "b1:\n%6 = load ptr $4\nbr b3\n"
			      "b2:\n%7 = elem $7, 0 * 1\nbr b3\n"
			      "b3:\n%8 = phi ptr [b1: %6, b2: %7]\nunreachable";

	check(__FILE__, __LINE__, VALUE, phi, "n > 3 ? s : buf", true);
	check(__FILE__, __LINE__, VALUE, swapped, "n ? buf : s", true);
	check(__FILE__, __LINE__, OBJECT, phi, "*(n > 3 ? s : buf)", true);
	EXPECT(VALUE, "%4 = load i32 $1\n%5 = cmp ne i32 %4, 0\n%6 = load ptr $4\n%7 = select ptr %5, %6, null",
	       "n ? s : NULL");
}

/* ---- limits ---------------------------------------------------------- */

/* Deep, wide and circular expressions end, and say that something is missing. */
TEST(limits)
{
	struct sbuf b = {0};
	struct subject s;

	sbuf_adds(&b, "%4 = load i32 $1\n");
	for (int i = 5; i < 60; i++)
		sbuf_printf(&b, "%%%d = mul i32 %%%d, %%%d\n", i, i - 1, i - 1);
	sbuf_adds(&b, "unreachable");
	s = parse_body(b.s);
	CHECK(!ir_expr(&s.text, s.m, s.f, last_value(s.f)));
	CHECK(s.text.n < 1000);
	release(&s);
	sbuf_clear(&b);
	sbuf_adds(&b, "br b1\nb1:\n%4 = phi ptr [b0: null, b2: %5]\nbr b2\nb2:\n%5 = load ptr %4\nbr b1");
	s = parse_body(b.s);
	CHECK(!ir_expr(&s.text, s.m, s.f, last_value(s.f)));
	CHECK(!ir_expr_lvalue(&s.text, s.m, s.f, last_value(s.f)));
	release(&s);
	sbuf_release(&b);
}
