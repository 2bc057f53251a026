/* u_front_attrs.c - ownership attributes in the text of the source. */
#include "unit.h"

#include "base/sbuf.h"
#include "front/attrs.h"

/* The models of a text, one a line. */
static void check_models(const char *text, const char *want)
{
	struct args a = {0};
	struct sbuf b = {0};

	attrs_models(&a, text, strlen(text));
	for (uint32_t i = 0; i < a.n; i++)
		sbuf_printf(&b, "%s\n", a.v[i]);
	CHECK_EQ_STR(sbuf_str(&b), want);
	sbuf_release(&b);
	args_release(&a);
}

TEST(nothing)
{
	check_models("", "");
	check_models("int f(void) { return malloc(3) != 0; }", "");
	check_models("void *f(int) __attribute__((malloc));", "");
	check_models("typedef void *f(int) __attribute__((malloc(g)));", "");
	check_models("__attribute__((malloc(", "");
	check_models("__attribute__((malloc(f", "");
}

TEST(gcc_malloc)
{
	check_models("__attribute__((malloc(my_free, 2))) void *f(int n);",
		     "f { return new memory freed by my_free; }\nmy_free { free arg2; }\n");
	check_models("void *f(int n) __attribute__((__malloc__(g)));",
		     "f { return new memory freed by g; }\ng { free arg1; }\n");
	check_models("void *f(int n) __attribute__((nonnull(1), malloc(g))) __attribute__((malloc(h, 2)));",
		     "f { return new memory freed by g, h; }\ng { free arg1; }\nh { free arg2; }\n");
	check_models("void *f(int n) __attribute__((malloc(free)));", "f { return new memory; }\n");
	check_models("void *f(int n) __attribute__((malloc(realloc, 1)));", "f { return new memory; }\n");
	check_models("[[gnu::malloc(g)]] void *f(int);",
		     "f { return new memory freed by g; }\ng { free arg1; }\n");
}

TEST(clang_ownership)
{
	check_models("__attribute__((ownership_returns(malloc, 1))) void *f(long);", "f { return new memory; }\n");
	check_models("void f(void *, int, void *) __attribute__((ownership_takes(malloc, 1, 3)));",
		     "f { free arg1; free arg3; }\n");
	check_models("void f(void *) __attribute__((__ownership_holds__(x, 1)));", "f { keep arg1; }\n");
	check_models("void *f(void *);\nvoid *f(void *) __attribute__((ownership_returns(m)));\n"
		     "void *f(void *) __attribute__((ownership_takes(m, 1)));",
		     "f { return new memory; free arg1; }\n");
	check_models("void f(void *) __attribute__((ownership_takes(malloc, 99999999999)));", "");
}

TEST(declarators)
{
	check_models("void *(f)(int) __attribute__((malloc(free)));", "f { return new memory; }\n");
	check_models("T (*f(int q))(int) __attribute__((malloc(free)));", "f { return new memory; }\n");
	check_models("void *a(int), *f(int) __attribute__((malloc(free)));", "f { return new memory; }\n");
	check_models("__attribute__((malloc(free))) void *a(int), *b(int);",
		     "a { return new memory; }\n");
	check_models("__attribute__((malloc(free))) void *p;", "");
	check_models("void *p __attribute__((malloc(g))), *f(int) __attribute__((malloc(free)));", "f { return new memory; }\n");
	check_models("struct s { int a[3]; } *f(void) __attribute__((malloc(free)));", "f { return new memory; }\n");
	check_models("static void *f(int n) __attribute__((malloc(free))) { if (n) { } return 0; }",
		     "f { return new memory; }\n");
	check_models("int k(a) int *a; { return *a; } int x[] = { 1, (2) }; enum e : int { A };\n"
		     "void *f(int) __asm__(\"g\") __attribute__((malloc(free)));", "f { return new memory; }\n");
	check_models("void *f(int (*cb)(void *) __attribute__((malloc(free))));", "");
}

TEST(system_headers_are_left_alone)
{
	check_models("# 1 \"/usr/include/x.h\" 1 3 4\nint fclose(FILE *);\n"
		     "void *g(void) __attribute__((malloc(fclose)));\n# 2 \"a.c\" 2\n"
		     "void *f(int) __attribute__((malloc(fclose, 1)));",
		     "f { return new memory freed by fclose; }\n");
}

static void check_blank(const char *text, unsigned count, const char *want)
{
	char *copy = strdup(text);

	CHECK_EQ_INT(attrs_blank(copy, strlen(copy)), count);
	CHECK_EQ_STR(copy, want);
	free(copy);
}

TEST(blanking)
{
	check_blank("void *f(int) __attribute__((malloc(g, 1)));", 1, "void *f(int) __attribute__((malloc      ));");
	check_blank("#define D(f) \\\n __attribute__((__malloc__(f,\\\n 1)))", 1,
		    "#define D(f) \\\n __attribute__((__malloc__   \\\n   ))");
	check_blank("x = a ? b : malloc(3); __attribute__((malloc)) int (malloc)(3);", 0,
		    "x = a ? b : malloc(3); __attribute__((malloc)) int (malloc)(3);");
	check_blank("[[gnu::malloc(g)]] [[nodiscard]]", 1, "[[gnu::malloc   ]] [[nodiscard]]");
	check_blank("/* __attribute__((malloc(g))) */ \"__attribute__((malloc(g)))\"", 0,
		    "/* __attribute__((malloc(g))) */ \"__attribute__((malloc(g)))\"");
	check_blank("__attribute__((malloc(g", 0, "__attribute__((malloc(g");
	check_blank("__attribute__((cleanup(malloc(1)), malloc(a), x))", 1,
		    "__attribute__((cleanup(malloc(1)), malloc   , x))");
}
