/* u_front_lean.c - what a source needs of its headers. */
#include "unit.h"

#include "base/sbuf.h"
#include "front/lean.h"

#define HEAD "# 1 \"x.c\"\n# 1 \"<built-in>\" 1\n#define __GNUC__ 4\n# 1 \"<command line>\" 1\n# 1 \"<built-in>\" 2\n# 1 \"x.c\" 2\n"

/* The prelude of `source`, which includes one header that has this text. */
static void check_prelude(const char *header, const char *source, const char *want)
{
	struct unit_text own = { .text = source, .n = strlen(source) };
	struct sbuf text = {0}, out = {0};
	uint32_t begin = 0;

	sbuf_printf(&text, HEAD "# 1 \"./h.h\" 1\n%s\n# 2 \"x.c\" 2\n\n%s\n", header, source);
	CHECK(lean_prelude(&out, &begin, &text, &own, "") == 0);
	CHECK_EQ_STR(sbuf_str(&out), want);
	CHECK(begin == 3);
	sbuf_release(&out);
	sbuf_release(&text);
}

static void check_refused(const char *text)
{
	struct unit_text own = { .text = "f", .n = 1 };
	struct sbuf in = {0}, out = {0};
	uint32_t begin;

	sbuf_adds(&in, text);
	CHECK(lean_prelude(&out, &begin, &in, &own, "") < 0);
	sbuf_release(&in);
	sbuf_release(&out);
}

TEST(declarations)
{
	check_prelude("int f(void);\nint g(void);", "int a = f();", "\n# 1 \"./h.h\"\nint f(void);\n");
	check_prelude("typedef struct s { int a; } s_t, *s_p;\nextern s_p g(s_t *x), h(void);", "void k(void) { h(); }",
		      "\n# 1 \"./h.h\"\ntypedef struct s { int a; } s_t, *s_p;\n# 2 \"./h.h\"\nextern s_p g(s_t *x), h(void);\n");
	check_prelude("enum e { A, B = 2 };\nenum { C };\nenum __attribute__((packed)) d { D };", "int a = B; enum d x;",
		      "\n# 1 \"./h.h\"\nenum e { A, B = 2 };\n# 3 \"./h.h\"\nenum __attribute__((packed)) d { D };\n");
	check_prelude("typedef int (*fn)(int a);\ntypedef void (plain)(void);\ntypedef int b;", "fn f; plain g;",
		      "\n# 1 \"./h.h\"\ntypedef int (*fn)(int a);\n# 2 \"./h.h\"\ntypedef void (plain)(void);\n");
	check_prelude("static inline int f(void) { return g; }\nextern int g;\nstatic int h(void) { return 1; }", "int a(void) { return f(); }",
		      "\n# 1 \"./h.h\"\nstatic inline int f(void) { return g; }\n# 2 \"./h.h\"\nextern int g;\n");
}

/* What is in the object file in any case. */
TEST(definitions)
{
	check_prelude("int a;\nint b[] = { 1 };\nint f(void) { return 0; }\nextern int c;\nstatic int d;", "int x;",
		      "\n# 1 \"./h.h\"\nint a;\n# 2 \"./h.h\"\nint b[] = { 1 };\n# 3 \"./h.h\"\nint f(void) { return 0; }\n");
	check_prelude("__attribute__((constructor)) static void f(void) { }", "int x;", "\n# 1 \"./h.h\"\n__attribute__((constructor)) static void f(void) { }\n");
}

TEST(macros)
{
	check_prelude("#define A B\n#define B 1\n#define C 2\n#define D 1\n#undef D\n#define A B + 1", "int a = A; int d = D;",
		      "\n#define A B + 1\n#define B 1\n#undef D\n");
	check_prelude("#define CALL(x) x ## _made()\nint f_made(void);", "int a = f_made();", "\n# 2 \"./h.h\"\nint f_made(void);\n");
	check_prelude("#pragma pack(push, 1)\nstruct s { int a; };\n#pragma pack(pop)", "int a;",
		      "\n# 1 \"./h.h\"\n#pragma pack(push, 1)\n# 3 \"./h.h\"\n#pragma pack(pop)\n");
}

TEST(refused)
{
	check_refused("");
	check_refused("# 1 \"x.c\"\n# 1 \"h.h\" 1\nint f(void);\n");
	check_refused("# 1 \"x.c\"\nint f;\n# 1 \"h.h\" 1\nint g;\n# 3 \"x.c\" 2\nint h;\n");	/* an include behind a declaration */
	check_refused("# 1 \"x.c\"\n# 5 \"x.y\"\nint f;\n");	/* #line */
	check_refused("# 1 \"x.c\"\n# 1 \"h.h\" 1\nint f\n# 2 \"x.c\" 2\n;\n");
}
