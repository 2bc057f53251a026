/*
 * u_pta.c - points-to sets of small programs given as text.
 *
 * Most tests state sets by name, in the order of the alphabet; a heap object is
 * "malloc@a.c:LINE".  Random programs without calls are solved a second time by
 * repeating all constraints until nothing changes.
 */
#include "u_ir.h"

#include "base/mem.h"
#include "model/model.h"
#include "pta/pta.h"

struct program {
	struct ir_module *m;
	struct model_set *models;
	struct pta *p;
	struct sbuf out;
};

static const char model_text[] =
	"malloc { return new memory; }\n"
	"free { free arg1; }\n"
	"asprintf { *arg1 = new memory; }\n"
	"getenv { return static; }\n"
	"strchr { return into arg1; }\n"
	"each { call arg1(arg2); }\n"
	"strlen { ignore; }\n"
	"clone { return new memory; copy arg1 to return; }\n";

static const char types[] =
	"unit 0 \"/a.c\" dir \"/\"\n"
	"file f0 \"/a.c\"\n"
	"type t1 = int \"int\" size 4\n"
	"type t2 = ptr t1 size 8\n"
	"type t3 = struct \"pair\" size 16 {\n"
	"	+0 a: t2\n"
	"	+8 b: t2\n"
	"}\n"
	"type t4 = ptr t3 size 8\n"
	"type t5 = array t2 count 4 size 32\n"
	"type t6 = struct \"outer\" size 56 {\n"
	"	+0 first: t2\n"
	"	+8 in: t3\n"
	"	+24 list: t5\n"
	"}\n"
	"global @x: t1 size 4 external\n"
	"global @y: t1 size 4 external\n"
	"global @z: t1 size 4 external\n";

static const char externs[] =
	"func @malloc(i64) ptr extern\n"
	"func @free(ptr) void extern\n"
	"func @asprintf(ptr, ptr) i32 extern\n"
	"func @getenv(ptr) ptr extern\n"
	"func @strchr(ptr, i32) ptr extern\n"
	"func @each(ptr, ptr) void extern\n"
	"func @strlen(ptr) i64 extern\n"
	"func @clone(ptr) ptr extern\n"
	"func @unknown(ptr) ptr extern\n";

static void analyse(struct program *pr, const char *body)
{
	struct sbuf b = {0};

	memset(pr, 0, sizeof(*pr));
	sbuf_printf(&b, "%s%s%s", types, body, externs);
	pr->m = from_text(b.s);
	check_valid(pr->m);
	sbuf_release(&b);
	pr->models = model_set_new();
	if (model_parse(pr->models, model_text, strlen(model_text), "test") < 0)
		FAIL("%s", error_last());
	pr->p = pta_new(pr->m, pr->models);
}

static void done(struct program *pr)
{
	pta_free(pr->p);
	model_set_free(pr->models);
	ir_module_free(pr->m);
	sbuf_release(&pr->out);
}

static uint32_t func(const struct program *pr, const char *name)
{
	uint32_t f = ir_find_func(pr->m, name);

	CHECK(f != IR_NONE);
	return f;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A set as text; valid until the next call. */
static const char *names(struct program *pr, const struct sbits *set)
{
	VEC(char *) all = {0};
	struct sbuf b = {0};

	SBITS_FOREACH(loc, set) {
		sbuf_clear(&b);
		pta_loc_name(pr->p, loc, &b);
		vec_push(&all, xstrdup(sbuf_str(&b)));
	}
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_name);
	sbuf_clear(&pr->out);
	for (uint32_t i = 0; i < all.n; i++) {
		sbuf_printf(&pr->out, "%s%s", i ? " " : "", all.v[i]);
		free(all.v[i]);
	}
	vec_release(&all);
	sbuf_release(&b);
	return sbuf_str(&pr->out);
}

/* What vreg v of a function points to. */
static const char *value(struct program *pr, const char *f, uint32_t v)
{
	CHECK(v < pr->m->funcs.v[func(pr, f)].nvregs);
	return names(pr, pta_points_to(pr->p, func(pr, f), IR_VREG(v)));
}

/* What lies in the cell of that name; "no such cell" if there is none. */
static const char *cell(struct program *pr, const char *name)
{
	struct sbuf b = {0};
	uint32_t loc;

	for (loc = 0; loc < pta_nlocs(pr->p); loc++) {
		sbuf_clear(&b);
		pta_loc_name(pr->p, loc, &b);
		if (strcmp(sbuf_str(&b), name) == 0)
			break;
	}
	sbuf_release(&b);
	return loc == pta_nlocs(pr->p) ? "no such cell" : names(pr, pta_cell(pr->p, loc));
}

/* The instruction that defines a vreg. */
static uint32_t def(const struct program *pr, const char *f, uint32_t v)
{
	return pr->m->funcs.v[func(pr, f)].def[v];
}

static const char *callees(struct program *pr, const char *f, uint32_t inst, bool *unknown)
{
	struct pta_callees c;

	pta_callees(pr->p, func(pr, f), inst, &c);
	*unknown = c.unknown;
	sbuf_clear(&pr->out);
	SBITS_FOREACH(g, c.set)
		sbuf_printf(&pr->out, "%s%s", pr->out.n ? " " : "", pr->m->funcs.v[g].name);
	return sbuf_str(&pr->out);
}

#define IS(got, want) CHECK_EQ_STR(got, want)

/* ---- values and cells ------------------------------------------------------ */

TEST(address_and_copy)
{
	struct program pr;

	analyse(&pr, "func @main(i1) i32 external {\n"
		"	slot $0 local: t1 size 4\n"
		"b0:\n"
		"	%1 = copy ptr @x\n"
		"	%2 = copy ptr %1\n"
		"	%3 = select ptr %0, %2, $0\n"
		"	%4 = select ptr %0, null, @main\n"
		"	%5 = ptrtoint i64 %3 from 64\n"
		"	%6 = add i64 %5, 8\n"
		"	%7 = inttoptr ptr %6 from 64\n"
		"	%8 = ptrtoint i32 %3 from 64\n"
		"	%9 = index %3, 3 * 4\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "main", 1), "x");
	IS(value(&pr, "main", 2), "x");
	IS(value(&pr, "main", 3), "main.local x");
	IS(value(&pr, "main", 4), "main()");
	IS(value(&pr, "main", 7), "main.local x");
	IS(value(&pr, "main", 8), "");
	IS(value(&pr, "main", 9), "main.local x");
	IS(names(&pr, pta_points_to(pr.p, func(&pr, "main"), IR_NULL)), "");
	CHECK_EQ_INT(pta_address(pr.p, 0, IR_NULL), IR_NONE);
	done(&pr);
}

/* Variables that are never pointed to are flow-sensitive, others are not. */
TEST(flow_sensitive_variables)
{
	struct program pr;

	analyse(&pr, "func @main() i32 external {\n"
		"	slot $0 top: t2 size 8\n"
		"	slot $1 mem: t2 size 8\n"
		"b0:\n"
		"	%0 = ptrtoint i64 $1 from 64\n"
		"	%1 = ptrtoint i32 $1 from 64\n"
		"	store ptr $0, @x\n"
		"	%2 = load ptr $0\n"
		"	store ptr $0, @y\n"
		"	%3 = load ptr $0\n"
		"	store ptr $1, @x\n"
		"	%4 = load ptr $1\n"
		"	store ptr $1, @y\n"
		"	%5 = load ptr $1\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "main", 2), "x");
	IS(value(&pr, "main", 3), "y");
	IS(value(&pr, "main", 4), "x y");
	IS(value(&pr, "main", 5), "x y");
	IS(cell(&pr, "main.mem"), "x y");
	done(&pr);
}

TEST(load_and_store)
{
	struct program pr;

	analyse(&pr, "global @p: t2 size 8 external\n"
		"global @q: t2 size 8 external\n"
		"global @pp: t0 size 8 external\n"
		"global @never: t2 size 8 external\n"
		"func @main(i1) i32 external {\n"
		"b0:\n"
		"	store ptr @p, @x\n"
		"	%1 = select ptr %0, @p, @q\n"
		"	store ptr %1, @y\n"
		"	store ptr @pp, %1\n"
		"	%2 = load ptr @pp\n"
		"	%3 = load ptr %2\n"
		"	%4 = load ptr @q\n"
		"	%5 = load ptr @never\n"
		"	%6 = load i32 @p\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "main", 2), "p q");
	IS(value(&pr, "main", 3), "x y");
	IS(value(&pr, "main", 4), "y");
	IS(value(&pr, "main", 5), "");
	IS(value(&pr, "main", 6), "");
	IS(cell(&pr, "p"), "x y");
	IS(cell(&pr, "pp"), "p q");
	done(&pr);
}

TEST(initialisers)
{
	struct program pr;

	analyse(&pr, "global @s: t3 size 16 external {\n"
		"	+0 8 = @x\n"
		"	+8 8 = @y\n"
		"}\n"
		"global @t size 64 external {\n"
		"	+40 8 = @s+8\n"
		"}\n"
		"global @far: t2 size 8 extern\n"
		"func @main() i32 external {\n"
		"b0:\n"
		"	%0 = load ptr @s\n"
		"	%1 = load ptr @s+8\n"
		"	%2 = load ptr @far\n"
		"	%3 = load ptr @t+40\n"
		"	%4 = load ptr %3\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "main", 0), "x");
	IS(value(&pr, "main", 1), "y");
	IS(value(&pr, "main", 2), "*library*");
	IS(value(&pr, "main", 3), "s+8");
	IS(value(&pr, "main", 4), "y");
	done(&pr);
}

/* ---- members and arrays ------------------------------------------------------ */

TEST(fields)
{
	struct program pr;

	analyse(&pr, "global @s: t3 size 16 external\n"
		"global @o: t6 size 56 external\n"
		"func @main(i64) i32 external {\n"
		"b0:\n"
		"	%1 = field @s, +0 (t3.0)\n"
		"	%2 = field @s, +8 (t3.1)\n"
		"	store ptr %1, @x\n"
		"	store ptr %2, @y\n"
		"	%3 = load ptr %1\n"
		"	%4 = load ptr %2\n"
		"	%5 = field @o, +8 (t6.1)\n"
		"	%6 = field %5, +8 (t3.1)\n"		/* o.in.b */
		"	store ptr %6, @z\n"
		"	%7 = field @o, +24 (t6.2)\n"
		"	%8 = elem %7, 2 * 8\n"
		"	store ptr %8, @x\n"
		"	%9 = elem %7, %0 * 8\n"
		"	%10 = load ptr %9\n"		/* elements are one */
		"	%11 = load ptr @o+48\n"
		"	%12 = field @o, +0 (t6.0)\n"
		"	%13 = load ptr %12\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "main", 3), "x");
	IS(value(&pr, "main", 4), "y");
	IS(value(&pr, "main", 6), "o+16");
	IS(cell(&pr, "o+16"), "z");
	IS(value(&pr, "main", 9), "o+24");
	IS(value(&pr, "main", 10), "x");
	IS(value(&pr, "main", 11), "x");
	IS(value(&pr, "main", 13), "");
	CHECK_EQ_INT(pta_loc_at(pr.p, pta_address(pr.p, 0, IR_REF(IR_R_GLOBAL, ir_find_global(pr.m, "s"))), 8),
		     sbits_next(pta_points_to(pr.p, func(&pr, "main"), IR_VREG(2)), 0));
	done(&pr);
}

/* A member's address through a pointer to two structs, and back to the struct. */
TEST(fields_by_pointer)
{
	struct program pr;

	analyse(&pr, "global @s: t3 size 16 external\n"
		"global @t: t3 size 16 external\n"
		"func @main(i1) i32 external {\n"
		"b0:\n"
		"	%1 = select ptr %0, @s, @t\n"
		"	%2 = field %1, +8 (t3.1)\n"
		"	store ptr %2, @x\n"
		"	%3 = load ptr @t+8\n"
		"	%4 = load ptr @t\n"
		"	%5 = index %2, -8 * 1\n"
		"	%6 = index %2, %0 * 8\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "main", 2), "s+8 t+8");
	IS(value(&pr, "main", 3), "x");
	IS(value(&pr, "main", 4), "");
	IS(value(&pr, "main", 5), "s t");
	IS(value(&pr, "main", 6), "s+8 t+8");
	done(&pr);
}

/* A heap block is an array of its type: p[1].b is p->b. */
TEST(heap_fields)
{
	struct program pr;

	analyse(&pr, "func @main() i32 external {\n"
		"	slot $0 p: t4 size 8\n"
		"b0:\n"
		"	%0 = call ptr @malloc(32) @f0:5:1\n"
		"	store ptr $0, %0\n"
		"	%1 = load ptr $0\n"
		"	%2 = field %1, +8 (t3.1)\n"
		"	store ptr %2, @x\n"
		"	%3 = index %1, 1 * 16\n"
		"	%4 = field %3, +8 (t3.1)\n"
		"	%5 = load ptr %4\n"
		"	%6 = load ptr %1\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "main", 1), "malloc@a.c:5");
	IS(value(&pr, "main", 2), "malloc@a.c:5+8");
	IS(value(&pr, "main", 5), "x");
	IS(value(&pr, "main", 6), "");
	CHECK_EQ_INT(pta_obj(pr.p, pta_heap_at(pr.p, func(&pr, "main"), def(&pr, "main", 0), 0))->kind, PTA_HEAP);
	CHECK_EQ_INT(pta_obj(pr.p, pta_heap_at(pr.p, func(&pr, "main"), def(&pr, "main", 0), 0))->type, 3);
	CHECK_EQ_INT(pta_obj(pr.p, pta_heap_at(pr.p, func(&pr, "main"), def(&pr, "main", 0), 0))->root,
		     func(&pr, "malloc"));
	CHECK_EQ_INT(pta_heap_at(pr.p, func(&pr, "main"), def(&pr, "main", 0), 1), IR_NONE);
	CHECK_EQ_INT(pta_heap_at(pr.p, func(&pr, "main"), def(&pr, "main", 1), 0), IR_NONE);
	done(&pr);
}

/* Too many offsets without a type: one cell for all. */
TEST(collapse)
{
	struct program pr;
	struct sbuf b = {0};

	/* one load is met before there are too many, the others after */
	sbuf_adds(&b, "global @g size 4000 external\nfunc @main() i32 external {\nb0:\n"
		      "	%0 = load ptr @g+16\n");
	for (int i = 0; i < 60; i++)
		sbuf_printf(&b, "	store ptr @g+%d, %s\n", 8 * (i + 1), i == 3 ? "@x" : i == 50 ? "@y" : "null");
	sbuf_adds(&b, "	%1 = load ptr @g+8\n	%2 = load ptr @g+3000\n	ret 0\n}\n");
	analyse(&pr, b.s);
	sbuf_release(&b);
	IS(value(&pr, "main", 0), "x y");
	IS(value(&pr, "main", 1), "x y");
	IS(value(&pr, "main", 2), "x y");
	done(&pr);
}

TEST(memcpy_of_parts)
{
	struct program pr;

	analyse(&pr, "global @s: t3 size 16 external {\n"
		"	+0 8 = @x\n"
		"	+8 8 = @y\n"
		"}\n"
		"global @all: t3 size 16 external\n"
		"global @half: t3 size 16 external\n"
		"global @o: t6 size 56 external\n"
		"global @late: t3 size 16 external\n"
		"func @main(i1, i64) i32 external {\n"
		"b0:\n"
		"	memcpy @all, @s, 16\n"
		"	memcpy @half, @s, 8\n"
		"	%2 = field @o, +8 (t6.1)\n"
		"	memcpy %2, @s, %1\n"
		"	memcpy @late, @all, 16\n"	/* sees what is stored afterwards, too */
		"	store ptr @all+8, @z\n"
		"	ret 0\n"
		"}\n");
	IS(cell(&pr, "all"), "x");
	IS(cell(&pr, "all+8"), "y z");
	IS(cell(&pr, "half"), "x");
	CHECK(strcmp(cell(&pr, "half+8"), "no such cell") == 0 || strcmp(cell(&pr, "half+8"), "") == 0);
	IS(cell(&pr, "o+8"), "x");
	IS(cell(&pr, "o+16"), "y");
	IS(cell(&pr, "late+8"), "y z");
	IS(cell(&pr, "s+8"), "y");
	done(&pr);
}

/* ---- calls ------------------------------------------------------------------- */

/* Without contexts: what one caller passes the other gets back. */
TEST(parameters_and_results)
{
	struct program pr;

	analyse(&pr, "func @same(ptr) ptr static {\n"
		"b0:\n"
		"	ret %0\n"
		"}\n"
		"func @set(ptr, ptr) void static {\n"
		"b0:\n"
		"	store ptr %0, %1\n"
		"	ret\n"
		"}\n"
		"func @main() i32 external {\n"
		"	slot $0 v: t2 size 8\n"
		"b0:\n"
		"	%0 = call ptr @same(@x)\n"
		"	%1 = call ptr @same(@y)\n"
		"	call void @set($0, @z)\n"
		"	%2 = load ptr $0\n"
		"	ret 0\n"
		"}\n");
	bool unknown;

	IS(value(&pr, "same", 0), "x y");
	IS(value(&pr, "main", 0), "x y");
	IS(value(&pr, "main", 2), "z");
	IS(callees(&pr, "main", def(&pr, "main", 0), &unknown), "same");
	CHECK(!unknown);
	CHECK(pta_is_entry(pr.p, func(&pr, "main")));
	CHECK(!pta_is_entry(pr.p, func(&pr, "same")));
	done(&pr);
}

TEST(aggregate_result)
{
	struct program pr;

	analyse(&pr, "func @two() agg static {\n"
		"b0:\n"
		"	ret @x, @y\n"
		"}\n"
		"func @main() i32 external {\n"
		"b0:\n"
		"	%0 = call agg @two()\n"
		"	%1 = extract ptr %0, 0\n"
		"	%2 = extract ptr %0, 1\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "main", 1), "x");
	IS(value(&pr, "main", 2), "y");
	done(&pr);
}

/* Through a table; what takes more than it would be given, or another kind of
 * value, or returns one, is not meant. */
TEST(function_pointers)
{
	struct program pr;

	analyse(&pr, "global @table: t0 size 24 external {\n"
		"	+0 8 = @one\n"
		"	+8 8 = @other\n"
		"	+16 8 = @many\n"
		"}\n"
		"func @one(ptr) ptr static {\n"
		"b0:\n"
		"	ret %0\n"
		"}\n"
		"func @other(ptr) ptr static {\n"
		"b0:\n"
		"	ret @z\n"
		"}\n"
		"func @many(ptr, ptr, ptr) ptr static {\n"
		"b0:\n"
		"	ret @y\n"
		"}\n"
		"func @number(i64) ptr static {\n"
		"b0:\n"
		"	ret @y\n"
		"}\n"
		"func @count(ptr) i32 static {\n"
		"b0:\n"
		"	ret 0\n"
		"}\n"
		"func @main(i1) i32 external {\n"
		"b0:\n"
		"	%1 = load ptr @table\n"
		"	%2 = load ptr @table+16\n"
		"	%3 = select ptr %0, %1, @other\n"
		"	%4 = select ptr %0, %3, %2\n"
		"	%5 = call ptr %4(@x)\n"
		"	%6 = call ptr %1(@y)\n"
		"	%7 = select ptr %0, %1, @number\n"
		"	%8 = select ptr %0, %7, @count\n"
		"	%9 = call ptr %8(%6)\n"
		"	ret 0\n"
		"}\n");
	bool unknown;

	IS(callees(&pr, "main", def(&pr, "main", 5), &unknown), "one other");
	CHECK(!unknown);
	IS(callees(&pr, "main", def(&pr, "main", 6), &unknown), "one");
	IS(callees(&pr, "main", def(&pr, "main", 9), &unknown), "one");
	IS(value(&pr, "one", 0), "x y");
	IS(value(&pr, "other", 0), "x");
	IS(value(&pr, "many", 0), "");
	IS(value(&pr, "main", 5), "x y z");
	IS(value(&pr, "main", 6), "x y");
	done(&pr);
}

TEST(variable_arguments)
{
	struct program pr;

	analyse(&pr, "func @log(ptr) void static variadic {\n"
		"	slot $0 ap: t0 size 24\n"
		"b0:\n"
		"	vastart $0\n"
		"	%1 = vaarg ptr $0\n"
		"	vaend $0\n"
		"	ret\n"
		"}\n"
		"func @main() i32 external {\n"
		"b0:\n"
		"	call void @log(@z, @x, @y)\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "log", 0), "z");
	IS(value(&pr, "log", 1), "x y");
	done(&pr);
}

TEST(order_of_functions)
{
	struct program pr;
	const uint32_t *order;
	uint32_t n, at[4] = {0};
	const char *name[] = { "leaf", "ping", "pong", "main" };

	analyse(&pr, "func @main() i32 external {\n"
		"b0:\n"
		"	call void @ping()\n"
		"	ret 0\n"
		"}\n"
		"func @ping() void static {\n"
		"b0:\n"
		"	call void @pong()\n"
		"	ret\n"
		"}\n"
		"func @pong() void static {\n"
		"b0:\n"
		"	call void @ping()\n"
		"	call void @leaf()\n"
		"	ret\n"
		"}\n"
		"func @leaf() void static {\n"
		"b0:\n"
		"	ret\n"
		"}\n");
	order = pta_bottom_up(pr.p, &n);
	for (uint32_t i = 0; i < n; i++)
		for (int k = 0; k < 4; k++)
			if (order[i] == func(&pr, name[k]))
				at[k] = i;
	CHECK(at[0] < at[1] && at[0] < at[2] && at[1] < at[3] && at[2] < at[3]);
	CHECK_EQ_INT(pta_component(pr.p, func(&pr, "ping")), pta_component(pr.p, func(&pr, "pong")));
	CHECK(pta_component(pr.p, func(&pr, "leaf")) < pta_component(pr.p, func(&pr, "ping")));
	CHECK(pta_component(pr.p, func(&pr, "ping")) < pta_component(pr.p, func(&pr, "main")));
	CHECK(pta_recursive(pr.p, func(&pr, "ping")) && pta_recursive(pr.p, func(&pr, "pong")));
	CHECK(!pta_recursive(pr.p, func(&pr, "main")) && !pta_recursive(pr.p, func(&pr, "leaf")));
	done(&pr);
}

/* ---- wrappers ---------------------------------------------------------------- */

TEST(wrappers_that_return)
{
	struct program pr;

	analyse(&pr, "func @xmalloc(i64) ptr static {\n"
		"b0:\n"
		"	%1 = call ptr @malloc(%0) @f0:1:1\n"
		"	ret %1\n"
		"}\n"
		"func @outer(i64) ptr static {\n"
		"b0:\n"
		"	%1 = call ptr @xmalloc(%0) @f0:2:1\n"
		"	store ptr %1, @x\n"
		"	ret %1\n"
		"}\n"
		"func @main() i32 external {\n"
		"b0:\n"
		"	%0 = call ptr @xmalloc(1) @f0:10:1\n"
		"	%1 = call ptr @outer(8) @f0:11:1\n"
		"	%2 = call ptr @outer(8) @f0:12:1\n"
		"	%3 = load ptr %1\n"
		"	%4 = load ptr %0\n"
		"	ret 0\n"
		"}\n");
	const struct pta_wrapper *w = pta_wrapper(pr.p, func(&pr, "xmalloc"));
	const struct pta_obj *o;

	CHECK(w && w->returns && w->nouts == 1 && w->out[0].param == IR_NONE);
	CHECK(w->out[0].n == 1);
	CHECK_EQ_INT(w->out[0].made[0].inst, def(&pr, "xmalloc", 1));
	CHECK(pta_wrapper(pr.p, func(&pr, "outer")));
	CHECK(!pta_wrapper(pr.p, func(&pr, "main")));
	IS(value(&pr, "main", 0), "xmalloc@a.c:10");
	IS(value(&pr, "main", 1), "outer@a.c:11");
	IS(value(&pr, "main", 2), "outer@a.c:12");
	IS(value(&pr, "main", 3), "x");		/* what the constructor put there */
	o = pta_obj(pr.p, pta_heap_at(pr.p, func(&pr, "main"), def(&pr, "main", 1), 0));
	CHECK_EQ_INT(o->root, func(&pr, "malloc"));
	CHECK(o->effect);
	done(&pr);
}

/* *out = malloc(n) makes one object for each call, at the caller. */
TEST(wrappers_that_store)
{
	struct program pr;

	analyse(&pr, "func @make(ptr) i32 static {\n"
		"b0:\n"
		"	%1 = call ptr @malloc(8) @f0:1:1\n"
		"	store ptr %0, %1\n"
		"	ret 0\n"
		"}\n"
		"func @main() i32 external {\n"
		"	slot $0 p: t2 size 8\n"
		"	slot $1 q: t2 size 8\n"
		"	slot $2 r: t2 size 8\n"
		"b0:\n"
		"	%0 = call i32 @make($0) @f0:10:1\n"
		"	%1 = call i32 @make($1) @f0:11:1\n"
		"	%2 = call i32 @asprintf($2, null) @f0:12:1\n"
		"	%3 = load ptr $0\n"
		"	%4 = load ptr $1\n"
		"	%5 = load ptr $2\n"
		"	ret 0\n"
		"}\n");
	const struct pta_wrapper *w = pta_wrapper(pr.p, func(&pr, "make"));

	CHECK(w && !w->returns);
	CHECK_EQ_INT(w->out[0].param, 0);
	CHECK_EQ_INT(w->out[0].made[0].store, def(&pr, "make", 1) + 1);
	IS(value(&pr, "main", 3), "make@a.c:10");
	IS(value(&pr, "main", 4), "make@a.c:11");
	IS(value(&pr, "main", 5), "asprintf@a.c:12");
	done(&pr);
}

/* Several objects through parameters, one of them into a member. */
TEST(wrappers_with_several_handouts)
{
	struct program pr;

	analyse(&pr, "func @two(ptr, ptr) i32 static {\n"
		"b0:\n"
		"	%2 = call ptr @malloc(8) @f0:1:1\n"
		"	store ptr %0, %2\n"
		"	%3 = call ptr @malloc(8) @f0:2:1\n"
		"	%4 = field %1, +8\n"
		"	store ptr %4, %3\n"
		"	ret 0\n"
		"}\n"
		"func @main() i32 external {\n"
		"	slot $0 p: t2 size 8\n"
		"	slot $1 s: t0 size 16\n"
		"b0:\n"
		"	%0 = call i32 @two($0, $1) @f0:10:1\n"
		"	%1 = load ptr $0\n"
		"	%2 = field $1, +8\n"
		"	%3 = load ptr %2\n"
		"	ret 0\n"
		"}\n");
	const struct pta_wrapper *w = pta_wrapper(pr.p, func(&pr, "two"));

	CHECK(w && !w->returns);
	CHECK_EQ_INT(w->nouts, 2);
	CHECK_EQ_INT(w->out[0].param, 0);
	CHECK_EQ_INT(w->out[1].param, 1);
	CHECK_EQ_INT(w->out[1].off, 8);
	CHECK_EQ_INT(pta_heap_at(pr.p, func(&pr, "main"), def(&pr, "main", 0), 0) !=
			     pta_heap_at(pr.p, func(&pr, "main"), def(&pr, "main", 0), 1),
		     1);
	IS(value(&pr, "main", 1), "two@a.c:10");
	IS(value(&pr, "main", 3), "two@a.c:10");
	done(&pr);
}

/* `if (!p) p = malloc()`: a call with the address of something makes nothing. */
TEST(wrappers_that_need_null)
{
	struct program pr;

	analyse(&pr, "func @save(ptr) ptr static {\n"
		"	slot $0 p: t2 size 8 param 1\n"
		"b0:\n"
		"	store ptr $0, %0\n"
		"	%1 = cmp eq ptr %0, null\n"
		"	condbr %1, b1, b2\n"
		"b1:\n"
		"	%2 = call ptr @malloc(8) @f0:1:1\n"
		"	store ptr $0, %2\n"
		"	br b2\n"
		"b2:\n"
		"	%3 = load ptr $0\n"
		"	ret %3\n"
		"}\n"
		"func @main() i32 external {\n"
		"	slot $0 s: t0 size 8\n"
		"b0:\n"
		"	%0 = call ptr @save($0) @f0:10:1\n"
		"	%1 = call ptr @save(null) @f0:11:1\n"
		"	ret 0\n"
		"}\n");
	const struct pta_wrapper *w = pta_wrapper(pr.p, func(&pr, "save"));

	CHECK(w && w->returns);
	CHECK_EQ_INT(w->out[0].made[0].need.param, 0);
	CHECK_EQ_INT(w->out[0].made[0].need.pred, IR_P_EQ);
	IS(value(&pr, "main", 0), "main.s");
	IS(value(&pr, "main", 1), "save@a.c:11");
	done(&pr);
}

/* What is freed again after it was stored is not handed out, nor is what grows. */
TEST(no_handouts)
{
	struct program pr;

	analyse(&pr, "func @undone(ptr) i32 static {\n"
		"b0:\n"
		"	%1 = call ptr @malloc(8) @f0:1:1\n"
		"	store ptr %0, %1\n"
		"	%2 = load ptr %0\n"
		"	call void @free(%2)\n"
		"	ret 0\n"
		"}\n"
		"func @grown(ptr) i32 static {\n"
		"b0:\n"
		"	%1 = load ptr %0\n"
		"	%2 = call ptr @malloc(8) @f0:2:1\n"
		"	store ptr %0, %2\n"
		"	ret 0\n"
		"}\n"
		"func @main() i32 external {\n"
		"	slot $0 p: t2 size 8\n"
		"b0:\n"
		"	%0 = call i32 @undone($0) @f0:10:1\n"
		"	%1 = call i32 @grown($0) @f0:11:1\n"
		"	ret 0\n"
		"}\n");
	CHECK(!pta_wrapper(pr.p, func(&pr, "undone")));
	CHECK(!pta_wrapper(pr.p, func(&pr, "grown")));
	done(&pr);
}

/* Who keeps the object, or may return another, makes none for its caller. */
TEST(no_wrappers)
{
	struct program pr;

	analyse(&pr, "global @kept: t2 size 8 external\n"
		"func @keeps() ptr static {\n"
		"b0:\n"
		"	%0 = call ptr @malloc(8) @f0:1:1\n"
		"	store ptr @kept, %0\n"
		"	ret %0\n"
		"}\n"
		"func @either(i1) ptr static {\n"
		"b0:\n"
		"	%1 = call ptr @malloc(8) @f0:2:1\n"
		"	%2 = select ptr %0, %1, @x\n"
		"	ret %2\n"
		"}\n"
		"func @main(i1) i32 external {\n"
		"b0:\n"
		"	%1 = call ptr @keeps() @f0:10:1\n"
		"	%2 = call ptr @keeps() @f0:11:1\n"
		"	%3 = call ptr @either(%0) @f0:12:1\n"
		"	ret 0\n"
		"}\n");
	CHECK(!pta_wrapper(pr.p, func(&pr, "keeps")));
	CHECK(!pta_wrapper(pr.p, func(&pr, "either")));
	IS(value(&pr, "main", 1), "malloc@a.c:1");
	IS(value(&pr, "main", 2), "malloc@a.c:1");
	IS(cell(&pr, "kept"), "malloc@a.c:1");
	IS(value(&pr, "main", 3), "malloc@a.c:2 x");
	done(&pr);
}

/* ---- declared types ------------------------------------------------------------ */

/* A variable of a struct's pointer type takes what may be such a struct, also as
 * a member or an element; void * takes anything. */
TEST(declared_types)
{
	struct program pr;

	analyse(&pr, "type t7 = struct \"other\" size 4 {\n"
		"	+0 n: t1\n"
		"}\n"
		"type t8 = void \"void\"\n"
		"type t9 = ptr t8 size 8\n"
		"global @s: t3 size 16 external\n"
		"global @o: t6 size 56 external\n"
		"global @w: t7 size 4 external\n"
		"func @pair(ptr) void static {\n"
		"	slot $0 p: t4 size 8 param 1\n"
		"b0:\n"
		"	store ptr $0, %0\n"
		"	ret\n"
		"}\n"
		"func @any(ptr) void static {\n"
		"	slot $0 p: t9 size 8 param 1\n"
		"b0:\n"
		"	store ptr $0, %0\n"
		"	ret\n"
		"}\n"
		"func @main(i1) i32 external {\n"
		"b0:\n"
		"	%1 = select ptr %0, @s, @w\n"
		"	%2 = select ptr %0, %1, @o+8\n"
		"	%3 = select ptr %0, %2, @o\n"
		"	call void @pair(%3)\n"
		"	call void @any(%3)\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "main", 3), "o o+8 s w");
	IS(value(&pr, "pair", 0), "o+8 s");
	IS(value(&pr, "any", 0), "o o+8 s w");
	done(&pr);
}

/* char * may point to the bytes of anything allocated, but not of a variable that
 * is a struct: pta__fits(), as asked by pta__point(). */
TEST(pointer_to_bytes)
{
	struct program pr;

	analyse(&pr, "type t7 = int \"char\" size 1 char\n"
		"type t8 = ptr t7 size 8\n"
		"global @s: t3 size 16 external\n"
		"func @bytes(ptr) void static {\n"
		"	slot $0 p: t8 size 8 param 1\n"
		"b0:\n"
		"	store ptr $0, %0\n"
		"	ret\n"
		"}\n"
		"func @pair(ptr) void static {\n"
		"	slot $0 p: t4 size 8 param 1\n"
		"b0:\n"
		"	store ptr $0, %0\n"
		"	ret\n"
		"}\n"
		"func @main() i32 external {\n"
		"	slot $0 q: t4 size 8\n"
		"b0:\n"
		"	call void @bytes(@s)\n"
		"	%0 = call ptr @malloc(16) @f0:9:1\n"
		"	store ptr $0, %0\n"
		"	%1 = load ptr $0\n"
		"	call void @bytes(%1)\n"
		"	call void @pair(%1)\n"
		"	call void @pair(@s)\n"
		"	call void @pair(@x)\n"
		"	ret 0\n"
		"}\n");
	IS(value(&pr, "bytes", 0), "malloc@a.c:9");
	IS(value(&pr, "pair", 0), "malloc@a.c:9 s");
	done(&pr);
}

/* ---- library and unknown code ------------------------------------------------- */

TEST(models)
{
	struct program pr;

	analyse(&pr, "func @visit(ptr) void static {\n"
		"b0:\n"
		"	ret\n"
		"}\n"
		"global @s: t3 size 16 external {\n"
		"	+8 8 = @y\n"
		"}\n"
		"func @main() i32 external {\n"
		"	slot $0 c: t4 size 8\n"
		"b0:\n"
		"	%0 = call ptr @getenv(@x) @f0:10:1\n"
		"	%1 = call ptr @strchr(@x, 3) @f0:11:1\n"
		"	call void @each(@visit, @z) @f0:12:1\n"
		"	%2 = call ptr @clone(@s) @f0:13:1\n"
		"	store ptr $0, %2\n"
		"	%3 = load ptr $0\n"
		"	%4 = field %3, +8 (t3.1)\n"
		"	%5 = load ptr %4\n"
		"	%6 = call i64 @strlen(@x)\n"
		"	ret 0\n"
		"}\n");
	const struct pta_callback *cb;
	bool unknown;

	IS(value(&pr, "main", 0), "*library*");
	IS(value(&pr, "main", 1), "x");
	IS(value(&pr, "main", 2), "clone@a.c:13");
	IS(value(&pr, "main", 5), "y");
	IS(value(&pr, "main", 6), "");
	IS(value(&pr, "visit", 0), "z");
	CHECK_EQ_INT(pta_callbacks(pr.p, func(&pr, "main"), &cb), 1);
	CHECK_EQ_INT(cb->callee, func(&pr, "visit"));
	IS(callees(&pr, "main", def(&pr, "main", 0), &unknown), "getenv");
	CHECK(!unknown);
	CHECK(pta_model(pr.p, func(&pr, "getenv")) && !pta_model(pr.p, func(&pr, "visit")) &&
	      !pta_model(pr.p, func(&pr, "unknown")));
	IS(names(&pr, pta_given_away(pr.p)), "");
	done(&pr);
}

/* A body beats a model of the same name. */
TEST(own_body)
{
	static const char model[] = "strdup { return new memory; }";
	struct program pr = { .models = model_set_new() };

	CHECK_EQ_INT(model_parse(pr.models, model, strlen(model), "t"), 0);
	pr.m = from_text("unit 0 \"/a.c\" dir \"/\"\n"
		"global @z size 4 external\n"
		"func @strdup(ptr) ptr external {\n"
		"b0:\n"
		"	ret @z\n"
		"}\n"
		"func @main() i32 external {\n"
		"b0:\n"
		"	%0 = call ptr @strdup(null)\n"
		"	ret 0\n"
		"}\n");
	pr.p = pta_new(pr.m, pr.models);
	IS(value(&pr, "main", 0), "z");
	CHECK(!pta_model(pr.p, func(&pr, "strdup")));
	done(&pr);
}

/* Unknown code keeps what it is given, and gives back something else. */
TEST(unknown_code)
{
	struct program pr;

	analyse(&pr, "func @handler(ptr) void static {\n"
		"b0:\n"
		"	ret\n"
		"}\n"
		"func @main(i32, ptr) i32 external {\n"
		"b0:\n"
		"	%2 = call ptr @unknown(@x)\n"
		"	%3 = load ptr %2\n"
		"	%4 = field %2, +8\n"
		"	store ptr %4, @y\n"
		"	%5 = load ptr %4\n"
		"	%6 = call ptr @unknown(@handler)\n"
		"	%7 = load ptr %1\n"
		"	store ptr %7, @z\n"
		"	%8 = call ptr %3(@z)\n"
		"	ret 0\n"
		"}\n");
	uint32_t blob = pta_loc(pr.p, sbits_next(pta_points_to(pr.p, func(&pr, "main"), IR_VREG(2)), 0))->obj;
	bool unknown;

	IS(value(&pr, "main", 2), "*unknown*");
	IS(value(&pr, "main", 3), "*unknown*");
	IS(value(&pr, "main", 4), "*unknown*");
	IS(value(&pr, "main", 5), "*unknown*");
	IS(value(&pr, "main", 1), "*outside*");
	IS(value(&pr, "main", 7), "*outside*");
	IS(names(&pr, pta_given_away(pr.p)), "handler() x y z");
	CHECK_EQ_INT(pta_blob(pr.p, blob), PTA_B_UNKNOWN);
	CHECK_EQ_INT(pta_blob(pr.p, pta_loc(pr.p, pta_address(pr.p, 0, IR_REF(IR_R_GLOBAL, 0)))->obj), PTA_B__COUNT);
	callees(&pr, "main", def(&pr, "main", 2), &unknown);
	CHECK(unknown);
	IS(callees(&pr, "main", def(&pr, "main", 8), &unknown), "");
	CHECK(unknown);
	/* it calls the function it was given */
	CHECK(pta_is_entry(pr.p, func(&pr, "handler")));
	IS(value(&pr, "handler", 0), "*unknown*");
	done(&pr);
}

/* Without main every function that others can see is called by them. */
TEST(library_of_functions)
{
	struct program pr;

	analyse(&pr, "func @api(ptr, i32, i64) void external {\n"
		"b0:\n"
		"	call void @inside(@x)\n"
		"	ret\n"
		"}\n"
		"func @inside(ptr) void static {\n"
		"b0:\n"
		"	ret\n"
		"}\n");
	CHECK(pta_is_entry(pr.p, func(&pr, "api")));
	CHECK(!pta_is_entry(pr.p, func(&pr, "inside")));
	IS(value(&pr, "api", 0), "*outside*");
	IS(value(&pr, "api", 1), "");
	IS(value(&pr, "api", 2), "*outside*");
	IS(value(&pr, "inside", 0), "x");
	done(&pr);
}

TEST(empty_program)
{
	struct program pr;
	struct pta_stats st;
	uint32_t n;

	analyse(&pr, "");
	pta_bottom_up(pr.p, &n);
	pta_get_stats(pr.p, &st);
	CHECK(!st.gave_up);
	CHECK(!pta_ssa(pr.p, 0));
	done(&pr);
}

/* ---- random programs ------------------------------------------------------------ */

/* Objects are globals of no type, with pointers at offsets 0, 8, 16; copies of up
 * to 16 bytes reach to 31.  A set is a mask: bit obj * 4 + offset / 8. */
enum { OBJS = 7, VALUES = 40 };

enum { ADDR, LOAD, STORE, SELECT, MEMCPY };

struct rop {
	int op;
	int32_t a, b, size, res;	/* operands: a vreg, or -1 - (obj * 4 + offset / 8) */
};

struct random_program {
	struct rop op[VALUES * 2];
	uint32_t n, nvalues;
	uint64_t value[VALUES + 1], cell[OBJS * 4];
};

static uint64_t operand_set(const struct random_program *rp, int32_t o)
{
	return o < 0 ? 1ull << (-1 - o) : rp->value[o];
}

static int32_t random_operand(const struct random_program *rp, struct unit_rng *r)
{
	if (rp->nvalues > 1 && unit_below(r, 3))
		return (int32_t)(1 + unit_below(r, rp->nvalues - 1));
	return -1 - (int32_t)(unit_below(r, OBJS) * 4 + (unit_below(r, 2) ? 0 : unit_below(r, 3)));
}

static void put_operand(struct sbuf *b, int32_t o)
{
	uint32_t loc = (uint32_t)(-1 - o);

	if (o >= 0)
		sbuf_printf(b, "%%%d", o);
	else if (loc % 4)
		sbuf_printf(b, "@o%u+%u", loc / 4, loc % 4 * 8);
	else
		sbuf_printf(b, "@o%u", loc / 4);
}

static void put_op(struct sbuf *b, const struct rop *o)
{
	static const char *const name[] = { "copy ptr ", "load ptr ", "store ptr ", "select ptr %0, ", "memcpy " };

	sbuf_adds(b, "\t");
	if (o->res)
		sbuf_printf(b, "%%%d = ", o->res);
	sbuf_adds(b, name[o->op]);
	put_operand(b, o->a);
	if (o->op >= STORE) {
		sbuf_adds(b, ", ");
		put_operand(b, o->b);
	}
	if (o->op == MEMCPY)
		sbuf_printf(b, ", %d", o->size);
	sbuf_adds(b, "\n");
}

static void make_random(struct random_program *rp, struct unit_rng *r, struct sbuf *b)
{
	uint32_t want = 5 + unit_below(r, VALUES + 20);

	memset(rp, 0, sizeof(*rp));
	rp->nvalues = 1;	/* the parameter */
	for (uint32_t i = 0; i < OBJS; i++)
		sbuf_printf(b, "global @o%u size 32 external\n", i);
	sbuf_adds(b, "func @main(i1) i32 external {\nb0:\n");
	while (rp->n < want) {
		struct rop *o = &rp->op[rp->n++];

		o->op = (int)unit_below(r, 5);
		o->a = random_operand(rp, r);
		o->b = random_operand(rp, r);
		o->size = unit_below(r, 2) ? 8 : 16;
		if (o->op == ADDR || o->op == LOAD || o->op == SELECT) {
			if (rp->nvalues == VALUES)
				o->op = STORE;
			else
				o->res = (int32_t)rp->nvalues++;
		}
		put_op(b, o);
	}
	sbuf_adds(b, "\tret 0\n}\n");
}

static bool add(uint64_t *set, uint64_t more)
{
	uint64_t old = *set;

	*set |= more;
	return *set != old;
}

/* What a value is a copy of. */
static int32_t original(const struct random_program *rp, int32_t o)
{
	for (uint32_t i = rp->n; i-- > 0 && o > 0;)
		if (rp->op[i].res == o && rp->op[i].op == ADDR)
			o = rp->op[i].a;
	return o;
}

static bool repeat_once(struct random_program *rp, const struct rop *o)
{
	uint64_t a = operand_set(rp, o->a), b = operand_set(rp, o->b);
	bool changed = false;

	if (o->op == ADDR)
		return add(&rp->value[o->res], a);
	if (o->op == SELECT)
		return add(&rp->value[o->res], a | b);
	if (o->op == MEMCPY && original(rp, o->a) == original(rp, o->b))
		return false;	/* onto itself */
	for (uint32_t to = 0; to < OBJS * 4; to++) {
		if (!(a >> to & 1))
			continue;
		if (o->op == LOAD)
			changed |= add(&rp->value[o->res], rp->cell[to]);
		if (o->op == STORE)
			changed |= add(&rp->cell[to], b);
		for (uint32_t from = 0; o->op == MEMCPY && from < OBJS * 4; from++)
			for (uint32_t k = 0; (b >> from & 1) && k < (uint32_t)o->size / 8; k++) {
				CHECK(to % 4 + k < 4 && from % 4 + k < 4);
				changed |= add(&rp->cell[to + k], rp->cell[from + k]);
			}
	}
	return changed;
}

/* A set of locs as a mask. */
static uint64_t mask_of(const struct program *pr, const struct sbits *set)
{
	uint32_t first = ir_find_global(pr->m, "o0");
	uint64_t mask = 0;

	SBITS_FOREACH(loc, set) {
		const struct pta_loc *l = pta_loc(pr->p, loc);
		const struct pta_obj *o = pta_obj(pr->p, l->obj);

		CHECK_EQ_INT(o->kind, PTA_GLOBAL);
		CHECK(o->index >= first && l->off % 8 == 0 && l->off < 32);
		mask |= 1ull << ((o->index - first) * 4 + l->off / 8);
	}
	return mask;
}

static void check_random(struct program *pr, const struct random_program *rp)
{
	uint32_t first = ir_find_global(pr->m, "o0");
	uint64_t cell[OBJS * 4] = {0};

	for (uint32_t v = 1; v < rp->nvalues; v++) {
		uint64_t got = mask_of(pr, pta_points_to(pr->p, func(pr, "main"), IR_VREG(v)));
		ir_ref r = ssa_ref(pta_ssa(pr->p, func(pr, "main")), IR_VREG(v));

		/* a copy of an address that nothing looks at is not known */
		if (IR_KIND(r) != IR_R_VREG && !got)
			continue;
		if (got != rp->value[v])
			FAIL("%%%u points to %#jx, expected %#jx", v, (uintmax_t)got, (uintmax_t)rp->value[v]);
	}
	for (uint32_t loc = 0; loc < pta_nlocs(pr->p); loc++) {
		const struct pta_obj *o = pta_obj(pr->p, pta_loc(pr->p, loc)->obj);

		if (o->kind == PTA_GLOBAL && o->index >= first)
			cell[(o->index - first) * 4 + pta_loc(pr->p, loc)->off / 8] = mask_of(pr, pta_cell(pr->p, loc));
	}
	for (uint32_t i = 0; i < OBJS * 4; i++)
		if (cell[i] != rp->cell[i])
			FAIL("o%u+%u holds %#jx, expected %#jx", i / 4, i % 4 * 8, (uintmax_t)cell[i],
			     (uintmax_t)rp->cell[i]);
}

TEST(random_programs)
{
	struct unit_rng r = { 8 };
	uint64_t total = 0;

	for (int round = 0; round < 600; round++) {
		struct random_program rp;
		struct program pr;
		struct sbuf b = {0};
		bool changed = true;

		make_random(&rp, &r, &b);
		analyse(&pr, b.s);
		while (changed) {
			changed = false;
			for (uint32_t i = 0; i < rp.n; i++)
				changed |= repeat_once(&rp, &rp.op[i]);
		}
		check_random(&pr, &rp);
		for (uint32_t v = 1; v < rp.nvalues; v++)
			total += (uint64_t)__builtin_popcountll(rp.value[v]);
		sbuf_release(&b);
		done(&pr);
	}
	CHECK(total > 10000);	/* the sets are worth comparing */
}
