/*
 * u_before.c - which objects can a statement that was added come by?
 *
 * The last instruction of main() before its end is the one that was added.
 */
#include "u_ir.h"

#include "base/mem.h"
#include "model/model.h"
#include "vfg/before.h"

static const char model_text[] =
	"malloc { return new memory; }\n"
	"free { free arg1; }\n";

static const char head[] =
	"unit 0 \"/a.c\" dir \"/\"\n"
	"file f0 \"/a.c\"\n"
	"type t1 = int \"int\" size 4\n"
	"type t2 = ptr t1 size 8\n"
	"type t3 = struct \"node\" size 16 {\n"
	"	+0 a: t2\n"
	"	+8 b: t2\n"
	"}\n"
	"global @n: t1 size 4 external\n"
	"global @all: t2 size 8 external\n";

static const char externs[] =
	"func @malloc(i64) ptr extern\n"
	"func @free(ptr) void extern\n"
	"func @unknown(ptr) void extern\n";

#define MAIN(rest) "func @main() i32 external {\nb0:\n" \
	"	%0 = call ptr @malloc(16)\n" \
	"	%1 = call ptr @malloc(4)\n" \
	"	%2 = call ptr @malloc(4)\n" \
	"	store ptr %0, %1\n" \
	rest "	ret 0\n}\n"

/* Which of the three objects of main() it can come by, or has a pointer to: "012", "all". */
static const char *objects(const char *body, bool given)
{
	static char out[8];
	struct model_set *models = model_set_new();
	struct sbuf b = {0};
	struct added a = {0};
	struct ir_module *m;
	struct ir_func *f;
	struct pta *p;
	uint32_t n = 0;

	sbuf_printf(&b, "%s%s%s", head, body, externs);
	m = from_text(b.s);
	check_valid(m);
	f = &m->funcs.v[ir_find_func(m, "main")];
	f->insts[f->ninsts - 2].flags |= IR_F_ADDED;
	CHECK(model_parse(models, model_text, strlen(model_text), "test") == 0);
	p = pta_new(m, models);
	added_init(&a, p);
	for (uint32_t i = 0; i < 3; i++)
		if (bits_test(given ? &a.given : &a.whole.objs, pta_heap_at(p, (uint32_t)(f - m->funcs.v), i, 0)))
			out[n++] = (char)('0' + i);
	out[n] = 0;
	CHECK_EQ_INT(a.funcs.n, 1);
	CHECK(a.funcs.v[0].func == (uint32_t)(f - m->funcs.v) && a.funcs.v[0].all == a.whole.all);
	if (a.whole.all && !given)
		memcpy(out, "all", sizeof("all"));
	added_release(&a);
	pta_free(p);
	model_set_free(models);
	ir_module_free(m);
	sbuf_release(&b);
	return out;
}

static const char *touched(const char *body)
{
	return objects(body, false);
}

TEST(what_is_given)
{
	CHECK_EQ_STR(objects(MAIN("	call void @free(%0)\n"), true), "0");
	CHECK_EQ_STR(objects(MAIN("	call void @unknown(%2)\n"), true), "2");
	CHECK_EQ_STR(objects(MAIN("	store ptr %0, null\n"), true), "1");
}

TEST(what_is_freed_and_what_is_in_it)
{
	CHECK_EQ_STR(touched(MAIN("	call void @free(%2)\n")), "2");
	CHECK_EQ_STR(touched(MAIN("	call void @free(%1)\n")), "1");
	CHECK_EQ_STR(touched(MAIN("	call void @free(%0)\n")), "01");
	CHECK_EQ_STR(touched(MAIN("	%3 = copy ptr %0\n")), "");
}

TEST(what_is_overwritten)
{
	CHECK_EQ_STR(touched(MAIN("	store ptr %0, null\n")), "1");
	CHECK_EQ_STR(touched(MAIN("	store ptr %0, %2\n")), "12");
	CHECK_EQ_STR(touched(MAIN("	store ptr @all, null\n")), "all");	/* others may ask for it */
}

TEST(what_a_function_finds_by_itself)
{
	static const char own[] = "func @own(ptr) void external {\nb0:\n	call void @free(%0)\n	ret\n}\n";
	static const char names[] = "func @names(ptr) void external {\nb0:\n	%1 = load ptr @all\n	call void @free(%1)\n	ret\n}\n";
	static const char counts[] = "func @counts(ptr) void external {\nb0:\n	store i32 @n, 1\n	call void @free(%0)\n	ret\n}\n";
	struct sbuf b = {0};

	sbuf_printf(&b, "%s%s", MAIN("	call void @own(%2)\n"), own);
	CHECK_EQ_STR(touched(b.s), "2");
	sbuf_clear(&b);
	sbuf_printf(&b, "%s%s", MAIN("	store ptr @all, %0\n	call void @names(%2)\n"), names);
	CHECK_EQ_STR(touched(b.s), "012");
	sbuf_clear(&b);
	sbuf_printf(&b, "%s%s", MAIN("	call void @counts(%2)\n"), counts);
	CHECK_EQ_STR(touched(b.s), "all");
	CHECK_EQ_STR(touched(MAIN("	call void @unknown(%2)\n")), "all");
	sbuf_release(&b);
}
