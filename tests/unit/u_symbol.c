/*
 * u_symbol.c - addresses to functions and lines, in programs built in all the
 * ways that people build and strip them, and in damaged ones.
 */
#include "unit.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "run/symbol.h"

#include <sys/stat.h>

/* Prints four return addresses as offsets in the module: in middle(), which is
 * inlined into outer() where that is possible, and in main(). */
static const char program[] =
	"#define _GNU_SOURCE\n"
	"#include <link.h>\n"
	"#include <stdio.h>\n"
	"static unsigned long bias;\n"
	"static int first(struct dl_phdr_info *i, size_t n, void *p)\n"
	"{ (void)n; (void)p; bias = i->dlpi_addr; return 1; }\n"
	"__attribute__((noinline)) void leaf(int depth)\n"
	"{\n"
	"	dl_iterate_phdr(first, 0);\n"
	"	printf(\"%lx\\n\", (unsigned long)__builtin_return_address(0) - bias);\n"
	"	fflush(stdout);\n"
	"	if (depth == 99) leaf(0);\n"
	"}\n"
	"static inline __attribute__((always_inline)) void middle(void)\n"
	"{\n"
	"	leaf(1);\n"			/* 16 */
	"	__asm__ volatile(\"\");\n"
	"}\n"
	"__attribute__((noinline)) void outer(void)\n"
	"{\n"
	"	middle();\n"			/* 21 */
	"	__asm__ volatile(\"\");\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	outer();\n"
	"	leaf(2);\n"			/* 27 */
	"	return 0;\n"
	"}\n";

static char dir[64];

/* Runs a command of the shell in the test's folder; %s in it is that folder. */
static void sh(const char *command)
{
	char *argv[] = { "sh", "-ec", (char *)command, NULL };
	struct proc_result r;

	CHECK(proc_run(&r, argv, dir, PROC_ERR) == 0);
	if (!proc_ok(r.status))
		FAIL("%s: %s", command, r.err);
	proc_result_release(&r);
}

static char *in_dir(const char *name)
{
	return path_join(dir, name);
}

static void prepare(void)
{
	char *src;

	if (dir[0])
		return;
	strcpy(dir, "/tmp/u_symbol.XXXXXX");
	CHECK(mkdtemp(dir) != NULL);
	src = in_dir("prog.c");
	CHECK(file_write(src, program, sizeof(program) - 1) == 0);
	free(src);
}

__attribute__((destructor)) static void tidy(void)
{
	char *argv[] = { "rm", "-rf", dir, NULL };
	struct proc_result r;

	if (dir[0] && getpid() == unit_pid && proc_run(&r, argv, NULL, 0) == 0)
		proc_result_release(&r);
}

/* The addresses that ./prog prints, as it is now. */
static void addresses(uint64_t at[2])
{
	char *prog = in_dir("prog"), *argv[] = { prog, NULL };
	struct proc_result r;

	CHECK(proc_run(&r, argv, NULL, PROC_OUT) == 0);
	CHECK(proc_ok(r.status));
	CHECK(sscanf(r.out, "%" SCNx64 "\n%" SCNx64, &at[0], &at[1]) == 2);
	proc_result_release(&r);
	free(prog);
}

struct asked {
	struct symbols *s;
	enum symbol_source source;
	struct symbol_frames inner, main;
};

static struct asked ask(const uint64_t at[2], const void *id, size_t nid)
{
	struct asked a = { .s = symbols_new() };
	char *prog = in_dir("prog"), *debug = in_dir("debug");
	uint32_t m, x, y;

	symbols_add_debug_dir(a.s, debug);
	m = symbols_module(a.s, prog, id, nid);
	CHECK_EQ_INT(symbols_source(a.s, m), SYMBOL_UNASKED);
	x = symbols_want(a.s, m, at[0], SYMBOL_RETURN);
	y = symbols_want(a.s, m, at[1], SYMBOL_RETURN);
	CHECK_EQ_INT(symbols_want(a.s, m, at[0], SYMBOL_RETURN), x);
	symbols_resolve(a.s);
	a.inner = symbols_frames(a.s, x);
	a.main = symbols_frames(a.s, y);
	a.source = symbols_source(a.s, m);
	free(prog);
	free(debug);
	return a;
}

/* Lines are right, and middle() is there. */
static void check_lines(const uint64_t at[2], const void *id, size_t nid)
{
	struct asked a = ask(at, id, nid);

	CHECK_EQ_INT(a.source, SYMBOL_DEBUG);
	CHECK_EQ_INT(a.inner.n, 2);
	CHECK_EQ_STR(a.inner.v[0].function, "middle");
	CHECK_EQ_INT(a.inner.v[0].line, 16);
	CHECK(a.inner.v[0].inlined);
	CHECK_EQ_STR(a.inner.v[1].function, "outer");
	CHECK_EQ_INT(a.inner.v[1].line, 21);
	CHECK(!a.inner.v[1].inlined);
	CHECK(str_ends(a.inner.v[1].file, "/prog.c"));
	CHECK(str_starts(a.inner.v[0].file, dir));
	CHECK_EQ_INT(a.main.n, 1);
	CHECK_EQ_STR(a.main.v[0].function, "main");
	CHECK_EQ_INT(a.main.v[0].line, 27);
	symbols_free(a.s);
}

static void check_built(const char *command)
{
	uint64_t at[2];

	prepare();
	sh("rm -rf prog debug .debug prog.debug *.o *.dwo");
	sh(command);
	addresses(at);
	check_lines(at, NULL, 0);
}

TEST(gcc) { check_built("gcc -g -O2 -o prog prog.c"); }
TEST(gcc_not_pie) { check_built("gcc -g -O1 -no-pie -o prog prog.c"); }
TEST(gcc_dwarf4) { check_built("gcc -g -gdwarf-4 -O2 -o prog prog.c"); }
TEST(gcc_compressed) { check_built("gcc -g -gz=zlib -O2 -o prog prog.c"); }
TEST(gcc_lto) { check_built("gcc -g -flto -O2 -o prog prog.c"); }
TEST(gcc_split) { check_built("gcc -g -gsplit-dwarf -O2 -c -o prog.o prog.c && gcc -o prog prog.o"); }
TEST(gcc_sections) { check_built("gcc -g -O2 -ffunction-sections -Wl,--gc-sections -o prog prog.c"); }
/* no .debug_aranges */
TEST(clang) { check_built("${CLANG:-clang} -g -O2 -fno-optimize-sibling-calls -o prog prog.c"); }
TEST(clang_o0) { check_built("${CLANG:-clang} -g -o prog prog.c"); }
TEST(relative_name) { check_built("cd / && gcc -g -O2 -o $OLDPWD/prog $OLDPWD/prog.c"); }

TEST(debuglink)
{
	check_built("gcc -g -O2 -Wl,--build-id=none -o prog prog.c && objcopy --only-keep-debug prog prog.debug && "
		    "strip prog && objcopy --add-gnu-debuglink=prog.debug prog");
}

TEST(debuglink_in_subfolder)
{
	check_built("gcc -g -O2 -Wl,--build-id=none -o prog prog.c && mkdir .debug && "
		    "objcopy --only-keep-debug prog .debug/prog.debug && "
		    "strip prog && objcopy --add-gnu-debuglink=.debug/prog.debug prog");
}

#define ID "0123456789abcdef0123456789abcdef01234567"
#define BY_ID "gcc -g -O2 -Wl,--build-id=0x" ID " -o prog prog.c && mkdir -p debug/.build-id/01 && " \
	"objcopy --only-keep-debug prog debug/.build-id/01/23456789abcdef0123456789abcdef01234567.debug && " \
	"strip prog"

static const unsigned char id[] = {
	0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67,
	0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67,
};

TEST(build_id)
{
	check_built(BY_ID);
}

TEST(program_gone_debug_file_by_build_id)
{
	uint64_t at[2];

	check_built(BY_ID);
	addresses(at);
	check_lines(at, id, sizeof(id));
	sh("rm prog");
	check_lines(at, id, sizeof(id));
	sh("gcc -g -o prog prog.c");	/* another one in its place */
	check_lines(at, id, sizeof(id));
}

static void check_nameless(const uint64_t at[2], const void *bid, size_t nid, enum symbol_source want)
{
	struct asked a = ask(at, bid, nid);

	CHECK_EQ_INT(a.source, want);
	CHECK_EQ_INT(a.inner.n, 1);
	CHECK_EQ_STR(a.inner.v[0].function, "");
	CHECK_EQ_STR(a.inner.v[0].file, "");
	CHECK_EQ_INT(a.main.v[0].line, 0);
	symbols_free(a.s);
}

TEST(another_program_is_not_believed)
{
	uint64_t at[2] = { 0x1234, 0x5678 };

	prepare();
	sh("rm -rf debug; gcc -g -O2 -o prog prog.c");
	addresses(at);
	check_nameless(at, id, sizeof(id), SYMBOL_CHANGED);
	sh("rm prog");
	check_nameless(at, id, sizeof(id), SYMBOL_MISSING);
	check_nameless(at, NULL, 0, SYMBOL_MISSING);
	sh("echo text >prog");
	check_nameless(at, NULL, 0, SYMBOL_DAMAGED);
	sh("rm prog && mkfifo prog");	/* must not wait for a writer */
	check_nameless(at, NULL, 0, SYMBOL_MISSING);
	sh("rm prog");
}

static void check_names(const char *command, const char *inner, const char *outer)
{
	uint64_t at[2];
	struct asked a;

	prepare();
	sh("rm -rf debug prog.debug");
	sh(command);
	addresses(at);
	a = ask(at, NULL, 0);
	CHECK_EQ_INT(a.source, SYMBOL_NAMES);
	CHECK_EQ_INT(a.inner.n, 1);
	CHECK_EQ_STR(a.inner.v[0].function, inner);
	CHECK_EQ_INT(a.inner.v[0].line, 0);
	CHECK_EQ_STR(a.main.v[0].function, outer);
	symbols_free(a.s);
}

TEST(symbol_table_only)
{
	check_names("gcc -O2 -o prog prog.c", "outer", "main");
	check_names("gcc -O2 -rdynamic -o prog prog.c && strip prog", "outer", "main");
	/* only outer is exported: main must not be called by its name */
	check_names("echo '{ outer; };' >list && gcc -O2 -Wl,--dynamic-list=list -o prog prog.c && strip prog",
		    "outer", "");
}

TEST(stripped_of_everything)
{
	uint64_t at[2];
	struct asked a;

	prepare();
	sh("gcc -O2 -o prog prog.c && strip prog");
	addresses(at);
	a = ask(at, NULL, 0);
	CHECK_EQ_STR(a.inner.v[0].function, "");
	symbols_free(a.s);
}

TEST(cplusplus_names)
{
	uint64_t at[2];
	struct asked a;

	prepare();
	sh("sed -e 's/^static inline.*middle/namespace n { inline __attribute__((always_inline)) void middle/' "
	   "-e '18s/$/}/' -e 's/middle();/n::middle();/' prog.c >prog.cc && g++ -g -O2 -o prog prog.cc");
	addresses(at);
	a = ask(at, NULL, 0);
	CHECK_EQ_INT(a.inner.n, 2);
	CHECK_EQ_STR(a.inner.v[0].function, "n::middle()");
	CHECK_EQ_STR(a.inner.v[1].function, "outer()");
	symbols_free(a.s);
}

TEST(no_module)
{
	struct symbols *s = symbols_new();
	uint32_t m = symbols_module(s, "", NULL, 0);
	uint32_t a = symbols_want(s, m, 77, SYMBOL_EXACT), b = symbols_want(s, m, 0, SYMBOL_RETURN);

	symbols_resolve(s);
	CHECK_EQ_INT(symbols_frames(s, a).n, 1);
	CHECK_EQ_STR(symbols_frames(s, b).v[0].function, "");
	CHECK_EQ_INT(symbols_module(s, "", NULL, 0), m);
	CHECK(symbols_module(s, "/x", NULL, 0) != m);
	CHECK(symbols_module(s, "/x", id, 3) != symbols_module(s, "/x", id, 4));
	symbols_resolve(s);
	symbols_free(s);
}

TEST(asked_twice)
{
	struct symbols *s = symbols_new();
	uint64_t at[2];
	uint32_t m, x, y;
	char *prog;

	prepare();
	sh("gcc -g -O2 -o prog prog.c");
	addresses(at);
	prog = in_dir("prog");
	m = symbols_module(s, prog, NULL, 0);
	x = symbols_want(s, m, at[0], SYMBOL_RETURN);
	symbols_resolve(s);
	y = symbols_want(s, m, at[1] - 1, SYMBOL_EXACT);
	symbols_resolve(s);
	CHECK_EQ_STR(symbols_frames(s, x).v[0].function, "middle");
	CHECK_EQ_INT(symbols_frames(s, y).v[0].line, 27);
	symbols_free(s);
	free(prog);
}

/* Whatever is in the file, we live, and every address has an answer. */
TEST(damaged)
{
	struct unit_rng r = { 11 };
	char *prog, *text, *copy;
	uint64_t at[2];
	size_t n;

	prepare();
	sh("rm -rf debug; gcc -g -O2 -Wl,--build-id=none -o prog prog.c");
	addresses(at);
	prog = in_dir("prog");
	CHECK(file_read(&text, &n, prog) == 0);
	copy = xmalloc(n);
	for (int round = 0; round < 60; round++) {
		unsigned changes = 1 + unit_below(&r, 60);
		size_t keep = round % 6 == 0 ? unit_below(&r, (uint32_t)n) : n;
		struct asked a;

		memcpy(copy, text, n);
		while (changes--)	/* half of them where headers are */
			copy[unit_below(&r, 2) ? unit_below(&r, (uint32_t)n) : unit_below(&r, 1024)] =
				(char)unit_rand(&r);
		CHECK(file_write(prog, copy, keep) == 0);
		a = ask(at, NULL, 0);
		CHECK(a.inner.n > 0 && a.main.n > 0);
		symbols_free(a.s);
	}
	free(prog);
	free(text);
	free(copy);
}
