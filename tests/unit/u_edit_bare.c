/*
 * u_edit_bare.c - which bodies are left out of a text?
 *
 * What is to be left of a text is written with `~` for blanks that were none; a `;` of a declaration stands where its "{" was.
 */
#include "unit.h"

#include "edit/priv.h"

/* The text, and what is to be left of it if f stays; NULL: all. */
static bool becomes(const char *text, const char *left)
{
	const char *const names[] = { "f" };
	char *bare = bare_text(text, (uint32_t)strlen(text), names, ARRAY_LEN(names));
	bool same = !left == !bare && (!left || strlen(bare) == strlen(left));

	for (size_t i = 0; left && same && left[i]; i++)
		same = bare[i] == (left[i] == '~' ? ' ' : left[i]);
	if (!same)
		fprintf(stderr, "%s\nbecame\n%s\n", text, bare ? bare : "nothing else");
	free(bare);
	return same;
}

TEST(all_but_those_asked_for)
{
	CHECK(becomes("int g(void) { h(\"}\"); }\nint f(int n)\n{ return n; }\nint k(void) /* x */ {\n}\n",
		      "int g(void) ;~~~~~~~~~~\nint f(int n)\n{ return n; }\nint k(void) /* x */ ;\n~\n"));
	CHECK(becomes("int f(int n) { return n; }\n", NULL));
	CHECK(becomes("", NULL));
}

TEST(what_is_no_function)
{
	CHECK(becomes("struct __attribute__((packed)) { int a; } x;\n", NULL));
	CHECK(becomes("typedef union ALIGNED(8) { int a; } u;\n", NULL));
	CHECK(becomes("struct s *p = &(struct s) { 1, 2 };\n", NULL));
	CHECK(becomes("int k(n) int n; { return n; }\n", NULL));
	CHECK(becomes("int a[] = { X(1) };\nint g(void) {}\n", "int a[] = { X(1) };\nint g(void) ;~\n"));
}

TEST(lines_of_the_preprocessor_stay)
{
	CHECK(becomes("int g(void) {\n#define A 1\n# ifdef B /* a\n } */\nh();\n#endif\n}\n",
		      "int g(void) ;\n#define A 1\n# ifdef B /* a\n } */\n~~~~\n#endif\n~\n"));
	CHECK(becomes("int g(void) {\n#define A { \\\n\t}\nh(); }\n", "int g(void) ;\n#define A { \\\n\t}\n~~~~~~\n"));
	CHECK(becomes("int g(void) {\n#include \"x.h\"\n}\n", NULL));
	CHECK(becomes("int g(void) {\n#pragma x\n}\n", NULL));
	CHECK(becomes("#define G \"/*\"\nint g(void) { a; }\n", "#define G \"/*\"\nint g(void) ;~~~~~\n"));
}

TEST(braces_under_other_settings)
{
	CHECK(becomes("int g(void) {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\n} }\nint k(void) { a; }\n",
		      "int g(void) ;\n#if A\n~~~~~~~~\n#else\n~~~~~~~~\n#endif\n~~~\nint k(void) ;~~~~~\n"));
	CHECK(becomes("int g(void) {\n#if A\nif (a) {\n#endif\nb;\n#if A\n}\n#endif\n}\nint k(void) { a; }\n",
		      "int g(void) ;\n#if A\n~~~~~~~~\n#endif\n~~\n#if A\n~\n#endif\n~\nint k(void) ;~~~~~\n"));
	CHECK(becomes("#ifdef __cplusplus\nextern \"C\" {\n#endif\nint g(void) { a; }\n#ifdef __cplusplus\n}\n#endif\n",
		      "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint g(void) ;~~~~~\n#ifdef __cplusplus\n}\n#endif\n"));
	CHECK(becomes("#if 0\n} don't {{\n#else\nint g(void) { a; }\n#endif\n", "#if 0\n} don't {{\n#else\nint g(void) ;~~~~~\n#endif\n"));
	CHECK(becomes("#if A\nint g(int a) {\n#else\nint g(void) {\n#endif\nb; }\n", NULL));	/* whose body is it? */
	CHECK(becomes("#if A\nint g(int a)\n#else\nint g(void)\n#endif\n{ b; }\n", NULL));
}

TEST(broken_texts)
{
	CHECK(becomes("int g(void) { a; }\n}\n", NULL));
	CHECK(becomes("int g(void) { a; }\nint h(void) {\n", NULL));
	CHECK(becomes("int g(void) { a; }\n#endif\n", NULL));
	CHECK(becomes("int g(void) { a; }\n#define A /* x\n", "int g(void) ;~~~~~\n#define A /* x\n"));
	CHECK(becomes("int g(void) { a; }\r\n#define A \\\r\n{\r\n", NULL));
}
