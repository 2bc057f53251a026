/*
 * u_ident.c - what counts in the digest of a function, and what does not?
 */
#include "u_ir.h"

#include "ir/ident.h"

#define HEAD "unit 0 \"/a.c\" dir \"/\"\n" \
	"type t1 = int \"char\" size 1\n" \
	"type t2 = array t1 count 3 size 3\n" \
	"global @.str: t2 size 3 static string text \"hi\"\n" \
	"global @.str.1: t2 size 3 static string text \"ho\"\n" \
	"global @.str.2: t2 size 3 static string text \"hi\"\n" \
	"func @puts(ptr) i32 extern\n"
#define BODY(what) HEAD "func @f() void external {\nb0:\n	%0 = call i32 @puts(" what ")\n	ret\n}\n"

static uint64_t body_digest(const char *text)
{
	struct ir_module *m = from_text(text);
	struct idents d;
	uint64_t h;

	check_valid(m);
	idents_init(&d, m);
	h = ident_func_body(&d, ir_find_func(m, "f"));
	idents_release(&d);
	ir_module_free(m);
	return h;
}

TEST(which_of_equal_literals_does_not_count)
{
	CHECK(body_digest(BODY("@.str")) == body_digest(BODY("@.str.2")));
	CHECK(body_digest(BODY("@.str")) != body_digest(BODY("@.str.1")));
}

TEST(constants_and_callees_count)
{
	CHECK(body_digest(BODY("null")) != body_digest(BODY("@.str")));
	CHECK(body_digest(BODY("null")) != body_digest(HEAD "func @f() void external {\nb0:\n	ret\n}\n"));
}

TEST(instructions_keep_their_numbers)
{
	struct ir_module *m = from_text(HEAD "func @f() void external {\nb0:\n	%0 = call i32 @puts(null)\n	%1 = call i32 @puts(@.str)\n"
					"	%2 = call i32 @puts(null)\n	ret\n}\n");
	struct ir_func *f = &m->funcs.v[ir_find_func(m, "f")];
	static const uint32_t number[] = { 2, 0, 3, 1 };

	CHECK(f->ninsts == ARRAY_LEN(number));
	for (uint32_t i = 0; i < f->ninsts; i++)
		CHECK(ident_inst(f, i) == i && ident_find_inst(f, i) == i);
	f->insts[0].flags |= IR_F_ADDED;
	f->insts[2].flags |= IR_F_ADDED;
	for (uint32_t i = 0; i < f->ninsts; i++)
		CHECK(ident_inst(f, i) == number[i] && ident_find_inst(f, number[i]) == i);
	CHECK(ident_find_inst(f, f->ninsts) == IR_NONE);
	ir_module_free(m);
}
