/* u_front_flags.c - command lines: quoting, response files, what is kept. */
#include "unit.h"

#include "base/file.h"
#include "base/sbuf.h"
#include "front/flags.h"

#include <stdlib.h>
#include <unistd.h>

/* The words of a command, joined with '|'. */
static char *joined(const struct args *a)
{
	struct sbuf b = {0};

	for (uint32_t i = 0; i < a->n; i++)
		sbuf_printf(&b, "%s%s", i ? "|" : "", a->v[i]);
	return b.s ? sbuf_detach(&b) : xstrdup("");
}

static void check_split(const char *text, const char *want)
{
	struct args a = {0};
	char *got;

	args_split_shell(&a, text);
	got = joined(&a);
	CHECK_EQ_STR(got, want);
	CHECK(!a.v || !a.v[a.n]);
	free(got);
	args_release(&a);
}

TEST(shell_quoting)
{
	check_split("", "");
	check_split("  \t\n ", "");
	check_split("cc -c a.c", "cc|-c|a.c");
	check_split("cc '-DA=x y'  \"b c\".c", "cc|-DA=x y|b c.c");
	check_split("cc -DS=\\\"x\\\"", "cc|-DS=\"x\"");
	check_split("cc \"-DS=\\\"x\\\"\"", "cc|-DS=\"x\"");
	check_split("cc \"a\\b\" 'a\\b' a\\b", "cc|a\\b|a\\b|ab");
	check_split("a '' \"\"", "a||");
	check_split("a 'open quote", "a|open quote");
	check_split("a \\", "a|");
	check_split("a b\\\nc", "a|bc");
}

/* A folder with a file of this name and text; the folder is the caller's. */
static char *folder_with(const char *dir, const char *name, const char *text)
{
	char made[] = "/tmp/plumb-u_front.XXXXXX", *path;

	if (!dir)
		dir = mkdtemp(made);
	CHECK(dir);
	path = path_join(dir, name);
	CHECK_EQ_INT(file_write(path, text, strlen(text)), 0);
	free(path);
	return xstrdup(dir);
}

static void remove_from(const char *dir, const char *name)
{
	char *path = path_join(dir, name);

	CHECK_EQ_INT(unlink(path), 0);
	free(path);
}

TEST(response_files)
{
	char *words[] = { "-c", "@r1", "@missing", "@", "x@r1" };
	char *dir = folder_with(NULL, "r1", "-DA='x y' \"b\\\"c\" @r2 d\\ e");
	struct args a = {0};
	char *got;

	free(folder_with(dir, "r2", "-I inc\n@missing2"));
	args_expand(&a, words, 5, dir);
	got = joined(&a);
	CHECK_EQ_STR(got, "-c|-DA=x y|b\"c|-I|inc|@missing2|d e|@missing|@|x@r1");
	free(got);
	args_release(&a);
	remove_from(dir, "r1");
	remove_from(dir, "r2");
	CHECK_EQ_INT(rmdir(dir), 0);
	free(dir);
}

TEST(response_file_in_a_circle)
{
	char *words[] = { "@loop" }, *dir = folder_with(NULL, "loop", "-a @loop -b");
	struct args a = {0};

	args_expand(&a, words, 1, dir);
	CHECK(a.n > 2 && a.n < 100);
	CHECK_EQ_STR(a.v[0], "-a");
	CHECK_EQ_STR(a.v[a.n - 1], "-b");
	args_release(&a);
	remove_from(dir, "loop");
	CHECK_EQ_INT(rmdir(dir), 0);
	free(dir);
}

/* Parses a command given as a shell would; the flags must come out as `want`. */
static struct cmd parse(const char *text, const char *want)
{
	struct args a = {0};
	struct cmd c;
	char *got;

	args_split_shell(&a, text);
	cmd_parse(&c, a.v, a.n);
	got = joined(&c.flags);
	CHECK_EQ_STR(got, want);
	free(got);
	args_release(&a);
	return c;
}

static void check_flags(const char *text, const char *want)
{
	struct cmd c = parse(text, want);

	cmd_release(&c);
}

TEST(kept_and_dropped)
{
	check_flags("-DA -D B=1 -UC -U D", "-DA|-DB=1|-UC|-UD");
	check_flags("-D D -D ''", "-DD");
	check_flags("-Ia -I b -isystem c -iquoted -idirafter e -include f.h -imacrosg",
		    "-Ia|-Ib|-isystemc|-iquoted|-idiraftere|-includef.h|-imacrosg");
	check_flags("-std=gnu89 -ansi -m32 -march=native -pthread -nostdinc --sysroot=/x",
		    "-std=gnu89|-ansi|-m32|-march=native|-pthread|-nostdinc|--sysroot=/x");
	check_flags("-O2 -g3 -Wall -Wno-x -pedantic -pipe -MD -MP -MF d -MTx -save-temps -s -static", "");
	check_flags("-funsigned-char -fno-builtin -fno-builtin-malloc -fvisibility=hidden -fno-common",
		    "-funsigned-char|-fno-builtin|-fno-builtin-malloc|-fvisibility=hidden|-fno-common");
	check_flags("-fopenmp -flto=auto -fsanitize=address -fplugin=x -fprofile-use -fno-tree-vrp", "");
	check_flags("-fplan9-extensions", "-fms-extensions");
	check_flags("-Lx -L y -lz -l w -Wl,-z,now -Xlinker -c -T s -u sym -z now --param a=b -B x", "");
	check_flags("-Xclang -load -Xclang x.so -mllvm -foo", "");
	check_flags("-I- -I", "");
}

/* Whatever a command says, clang is told to run, load and write nothing. */
TEST(nothing_that_acts)
{
	check_flags("-fplugin=./x.so -fplugin-arg-x-y -fpass-plugin=./x.so -Xclang -load -Xclang ./x.so -fmodules-cache-path=x", "");
	check_flags("-mllvm -load=./x.so -mllvm=-info-output-file=x -mmlir -x -module-dependency-dir x -module-file-info", "");
	check_flags("-B. -B x -wrapper ./x,y -specs=./x -specs ./x --config=x --config ./x -fuse-ld=./x -no-integrated-cpp", "");
	check_flags("-MD -MMD -MFx -MF x -MT x -MJx -save-temps=obj -dumpdir x -dumpbase y -aux-info z -fdump-tree-all", "");
	check_flags("-ftime-trace=x -ftime-report -fprofile-generate=x -fprofile-use=x -fcrash-diagnostics-dir=x -gsplit-dwarf", "");
	check_flags("-ivfsoverlay x -include-pch x -fsave-optimization-record -foptimization-record-file=x -gen-reproducer", "");
	check_flags("--serialize-diagnostics x -index-store-path x -stack-usage -fstack-usage -frecord-command-line", "");
	check_flags("-Wp,-MD,x,-MF,y,-load,./x.so -Wa,-a=x -Wl,-Map=x -Xpreprocessor -MF -Xpreprocessor x -Xassembler x", "");
	check_flags("--target=./evil --target=x/../evil -target ../x -target x86_64-linux-gnu", "--target=x86_64-linux-gnu");
	check_flags("-march=./x -mabi=a/b -mcpu=$x -mfancy=x -msse2 -mno-red-zone -mregparm=3", "-msse2|-mno-red-zone|-mregparm=3");
	/* a value is never a word of its own, nor read as an option or a response file */
	check_flags("-I @x -D @y -target -fplugin=x -include -fplugin=y -I -cc1 -F -pch -U -x",
		    "-I./@x|-include./-fplugin=y|-I./-cc1|-F./-pch|-U-x");
	check_flags("-I@x -isystem@x -include@x -imacros @x --sysroot=@x --sysroot @y -isysroot @x -U@x -std=@x --target=@x",
		    "-I./@x|-isystem./@x|-include./@x|-imacros./@x|--sysroot=./@x|--sysroot=./@y|-isysroot./@x|-std=@x");
}

TEST(for_clang)
{
	static const char *const flags[] = { "-Ia", "-includeb.h", "-imacrosc.h", "-DA" };
	struct args a = {0};
	char *got;

	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		cmd_flag_for_clang(&a, flags[i]);
	got = joined(&a);
	CHECK_EQ_STR(got, "-Ia|-Xclang|-include|-Xclang|b.h|-imacrosc.h|-DA");
	free(got);
	args_release(&a);
}

TEST(for_the_preprocessor)
{
	check_flags("-Wp,-DA,-MD,x.d,-I,y", "-DA|-Iy");
	check_flags("-Xpreprocessor -include -Xpreprocessor a.h -O2", "-includea.h");
	check_flags("-Wp,-D_FORTIFY_SOURCE=2 -c", "-D_FORTIFY_SOURCE=2");
}

TEST(inputs_and_outputs)
{
	struct cmd c = parse("-c a.c -o b.o -x c d.txt -x none e.o f.S -x c++ g.c -x cpp-output h -- -i.c", "");

	CHECK_EQ_INT(c.mode, CMD_OBJECT);
	CHECK_EQ_STR(c.output, "b.o");
	CHECK_EQ_INT(c.inputs.n, 7);
	CHECK_EQ_INT(c.inputs.v[0].lang, CMD_C);
	CHECK_EQ_INT(c.inputs.v[1].lang, CMD_C);
	CHECK_EQ_STR(c.inputs.v[1].path, "d.txt");
	CHECK_EQ_INT(c.inputs.v[2].lang, CMD_LINKER_INPUT);
	CHECK_EQ_INT(c.inputs.v[3].lang, CMD_OTHER_LANG);
	CHECK_EQ_INT(c.inputs.v[4].lang, CMD_OTHER_LANG);
	CHECK_EQ_INT(c.inputs.v[5].lang, CMD_CPP_OUTPUT);
	CHECK_EQ_STR(c.inputs.v[6].path, "-i.c");
	cmd_release(&c);

	c = parse("-omy.o -o your.o -xc -", "");
	CHECK_EQ_STR(c.output, "your.o");
	CHECK_EQ_INT(c.mode, CMD_LINK);
	CHECK_EQ_INT(c.inputs.v[0].lang, CMD_STDIN);
	cmd_release(&c);
}

TEST(languages)
{
	CHECK_EQ_INT(cmd_lang_of("x/a.c"), CMD_C);
	CHECK_EQ_INT(cmd_lang_of("a.i"), CMD_CPP_OUTPUT);
	CHECK_EQ_INT(cmd_lang_of("a.C"), CMD_OTHER_LANG);
	CHECK_EQ_INT(cmd_lang_of("a.cc"), CMD_OTHER_LANG);
	CHECK_EQ_INT(cmd_lang_of("a.S"), CMD_OTHER_LANG);
	CHECK_EQ_INT(cmd_lang_of("a.h"), CMD_OTHER_LANG);
	CHECK_EQ_INT(cmd_lang_of("a.o"), CMD_LINKER_INPUT);
	CHECK_EQ_INT(cmd_lang_of("a.so.1"), CMD_LINKER_INPUT);
	CHECK_EQ_INT(cmd_lang_of("a"), CMD_LINKER_INPUT);
	CHECK_EQ_INT(cmd_lang_of(""), CMD_LINKER_INPUT);
}

static void check_mode(const char *text, enum cmd_mode mode)
{
	struct args a = {0};
	struct cmd c;

	args_split_shell(&a, text);
	cmd_parse(&c, a.v, a.n);
	CHECK_EQ_INT(c.mode, mode);
	cmd_release(&c);
	args_release(&a);
}

TEST(how_far)
{
	check_mode("a.c", CMD_LINK);
	check_mode("-c a.c -S", CMD_ASSEMBLY);
	check_mode("-S a.c -c", CMD_ASSEMBLY);
	check_mode("-fsyntax-only a.c", CMD_ASSEMBLY);
	check_mode("-E -c a.c", CMD_PREPROCESS);
	check_mode("-MM a.c", CMD_PREPROCESS);
	check_mode("-MMD -MF x -c a.c", CMD_OBJECT);
	check_mode("--version", CMD_INFO);
	check_mode("-### -c a.c", CMD_INFO);
	check_mode("-print-prog-name=ld", CMD_INFO);
	check_mode("-o -c a.c", CMD_LINK);
}

static void check_compiler(const char *text, uint32_t words, const char *flags)
{
	struct args a = {0}, f = {0};
	char *got;

	args_split_shell(&a, text);
	CHECK_EQ_INT(cmd_compiler_words(a.v, a.n), words);
	if (words)
		cmd_compiler_flags(&f, a.v[words - 1]);
	got = joined(&f);
	CHECK_EQ_STR(got, flags);
	free(got);
	args_release(&f);
	args_release(&a);
}

TEST(wrappers_and_compilers)
{
	check_compiler("", 0, "");
	check_compiler("gcc -c a.c", 1, "");
	check_compiler("/usr/bin/ccache /usr/bin/gcc -c a.c", 2, "");
	check_compiler("ccache distcc gcc-12 -c a.c", 3, "");
	check_compiler("distcc -c a.c", 1, "");
	check_compiler("ccache a.c", 1, "");
	check_compiler("/opt/plumb cc -c a.c", 2, "");
	check_compiler("ccache plumb cc -c a.c", 3, "");
	check_compiler("plumb-cc -c a.c", 1, "");
	check_compiler("libtool --tag=CC --mode=compile gcc -c a.c", 4, "");
	check_compiler("env A=b C=d gcc -c a.c", 4, "");
	check_compiler("libtool --mode=compile", 2, "");
	check_compiler("/bin/c89 a.c", 1, "-std=c89");
	check_compiler("c99 a.c", 1, "-std=c99");
	check_compiler("/x/aarch64-linux-gnu-gcc -c a.c", 1, "--target=aarch64-linux-gnu");
	check_compiler("arm-linux-gnueabihf-gcc-12 -c a.c", 1, "--target=arm-linux-gnueabihf");
	check_compiler("my-gcc -c a.c", 1, "");
	check_compiler("clang-19 -c a.c", 1, "");
	check_compiler("x86_64-linux-gnu-gcc-ar -c a.c", 1, "--target=x86_64-linux-gnu");
}
