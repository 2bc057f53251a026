/*
 * flags.c - which flags of a compile command matter for the IR.
 *
 * The command was written for gcc or for some clang; we run our own clang at
 * -O0.  What decides which program it is (macros, include paths, language,
 * target, char signedness, struct layout) is passed on.  What decides how it is
 * optimised, warned about, instrumented, linked or where it is written is left
 * out.  The table below says which is which, and which options take the next
 * word as their value: that matters even for options that are left out, since
 * the value would otherwise be taken for an input.
 *
 * Unknown options: -m... is passed on if it can only choose the target (see may_pass_m), and
 * compile.c drops it when clang refuses it.  -f..., -W... and the rest are left
 * out unless named here.  An unknown option whose value is the next word makes
 * that word look like an input of the linker, which does no harm.
 *
 * A command may be anybody's: that of a database, or of an object's record of how it was compiled.  So only
 * flags are passed on that are known to run, load and write nothing: no plugin (-fplugin=, -Xclang -load,
 * -mllvm), no configuration (--config; --target=../x makes clang read ../x-clang.cfg), no other tool (-B,
 * -wrapper, -specs=), no further output (-MD, -save-temps, -dumpdir, -ftime-trace=, -fprofile-...).  And
 * each flag that is passed on is one word that begins with a dash (cmd_check()): if clang refuses it, and
 * it is dropped, no value remains that would become an option.  clang reads a value that begins with @ as the
 * name of a response file, even where the value is joined to its option, since clang separates the two
 * again and passes them to itself: such a path gets ./ before it.
 *
 * Where this errs: -O is left out, so __OPTIMIZE__ is not defined and what the
 * source does only when optimised is not seen; -fopenmp is left out, so that the
 * sequential program is analysed; so are -fsanitize= and -fexceptions (C code
 * then has no landing pads).
 */
#include "front/flags.h"

#include "base/file.h"

#include <assert.h>

enum how {			/* where the value stands */
	FLAG,			/* none */
	NEXT,			/* -x VALUE */
	JOINED,			/* -xVALUE */
	EITHER,			/* one or the other */
};

enum what {
	DROP, PASS,
	LANG, OUTPUT, PREPROC,
	ORDER,			/* of declarations and statements: not for the IR, but edits must obey it */
	MODE,			/* + enum cmd_mode */
};

static const struct option {
	const char *name;
	enum how how;
	int what;
} options[] = {
	/* the preprocessor */
	{ "-D", EITHER, PASS }, { "-U", EITHER, PASS }, { "-I", EITHER, PASS },
	{ "-include", EITHER, PASS }, { "-imacros", EITHER, PASS },
	{ "-isystem", EITHER, PASS }, { "-iquote", EITHER, PASS }, { "-idirafter", EITHER, PASS },
	{ "-iprefix", EITHER, PASS }, { "-iwithprefix", EITHER, PASS },
	{ "-iwithprefixbefore", EITHER, PASS }, { "-iwithsysroot", EITHER, PASS },
	{ "-isysroot", EITHER, PASS }, { "-iframework", EITHER, PASS }, { "-F", EITHER, PASS },
	{ "--sysroot", NEXT, PASS }, { "--sysroot=", JOINED, PASS },
	{ "-nostdinc", FLAG, PASS }, { "-nostdlibinc", FLAG, PASS }, { "-nobuiltininc", FLAG, PASS },
	{ "-undef", FLAG, PASS }, { "-trigraphs", FLAG, PASS }, { "-traditional-cpp", FLAG, PASS },
	{ "-Wp,", JOINED, PREPROC }, { "-Xpreprocessor", NEXT, PREPROC },
	{ "-I-", FLAG, DROP }, { "-imultilib", EITHER, DROP }, { "-imultiarch", EITHER, DROP },
	{ "-include-pch", NEXT, DROP }, { "-A", EITHER, DROP },
	{ "-MF", EITHER, DROP }, { "-MT", EITHER, DROP }, { "-MQ", EITHER, DROP }, { "-MJ", EITHER, DROP },

	/* language and target */
	{ "-std=", JOINED, PASS }, { "--std=", JOINED, PASS }, { "-ansi", FLAG, PASS },
	{ "-pthread", FLAG, PASS }, { "-x", EITHER, LANG }, { "--language=", JOINED, LANG },
	{ "-target", NEXT, PASS }, { "--target=", JOINED, PASS }, { "-m", JOINED, PASS },
	{ "-arch", NEXT, DROP },
	{ "-Wdeclaration-after-statement", FLAG, ORDER },
	{ "-Werror=declaration-after-statement", FLAG, ORDER },
	{ "-Wno-declaration-after-statement", FLAG, PASS },

	/* how far to go */
	{ "-o", EITHER, OUTPUT }, { "--output=", JOINED, OUTPUT },
	{ "-c", FLAG, MODE + CMD_OBJECT },
	{ "-S", FLAG, MODE + CMD_ASSEMBLY }, { "-fsyntax-only", FLAG, MODE + CMD_ASSEMBLY },
	{ "-E", FLAG, MODE + CMD_PREPROCESS }, { "-M", FLAG, MODE + CMD_PREPROCESS },
	{ "-MM", FLAG, MODE + CMD_PREPROCESS },
	{ "-###", FLAG, MODE + CMD_INFO }, { "--version", FLAG, MODE + CMD_INFO },
	{ "--help", JOINED, MODE + CMD_INFO }, { "--target-help", FLAG, MODE + CMD_INFO },
	{ "-dumpversion", FLAG, MODE + CMD_INFO }, { "-dumpfullversion", FLAG, MODE + CMD_INFO },
	{ "-dumpmachine", FLAG, MODE + CMD_INFO }, { "-dumpspecs", FLAG, MODE + CMD_INFO },
	{ "-print-", JOINED, MODE + CMD_INFO }, { "--print-", JOINED, MODE + CMD_INFO },

	/* what is not for us, but takes a value */
	{ "-Xlinker", NEXT, DROP }, { "-Xassembler", NEXT, DROP }, { "-Xclang", NEXT, DROP },
	{ "-mllvm", NEXT, DROP }, { "--param", NEXT, DROP }, { "-aux-info", NEXT, DROP },
	{ "-L", EITHER, DROP }, { "-l", EITHER, DROP }, { "-T", EITHER, DROP }, { "-u", EITHER, DROP },
	{ "-z", EITHER, DROP }, { "-e", EITHER, DROP }, { "-R", EITHER, DROP }, { "-h", EITHER, DROP },
	{ "-B", EITHER, DROP }, { "-G", EITHER, DROP },
	{ "-rpath", NEXT, DROP }, { "-framework", NEXT, DROP }, { "-wrapper", NEXT, DROP },
	{ "-dumpbase", NEXT, DROP }, { "-dumpbase-ext", NEXT, DROP }, { "-dumpdir", NEXT, DROP },
	{ "-auxbase", NEXT, DROP }, { "-auxbase-strip", NEXT, DROP },
	{ "-serialize-diagnostics", NEXT, DROP }, { "-working-directory", NEXT, DROP },
};

/* Of -f... and -fno-..., those that change what the program is. */
static const char *const passed_f[] = {
	"signed-char", "unsigned-char", "signed-bitfields", "unsigned-bitfields",
	"short-enums", "short-wchar", "pack-struct", "pack-struct=",
	"ms-extensions", "ms-compatibility", "gnu89-inline", "gnu-keywords", "asm", "asm-blocks",
	"declspec", "blocks", "char8_t", "trigraphs", "dollars-in-identifiers",
	"lax-vector-conversions", "lax-vector-conversions=", "strict-flex-arrays=",
	"builtin", "builtin-", "freestanding", "hosted", "common",
	"PIC", "pic", "PIE", "pie", "visibility=",
	"exec-charset=", "input-charset=", "wide-exec-charset=",
};

/* The entry whose name is the longest that fits. */
static const struct option *find_option(const char *word)
{
	const struct option *best = NULL;

	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		const struct option *o = &options[i];
		bool fits = o->how == FLAG || o->how == NEXT ? str_eq(word, o->name)
							     : str_starts(word, o->name);

		if (fits && (!best || strlen(o->name) > strlen(best->name)))
			best = o;
	}
	return best;
}

/* Of -m...=VALUE, those that decide what a program is: types, the layout of structs, macros, intrinsics. */
static const char *const passed_m[] = {
	"abi=", "arch=", "cpu=", "tune=", "fpu=", "fpmath=", "float-abi=", "cmodel=", "regparm=",
	"preferred-stack-boundary=", "stack-alignment=", "branch-protection=", "prefer-vector-width=",
	"double=", "nan=", "mcu=", "isa-spec=", "sve-vector-bits=", "rvv-vector-bits=", "hvx=", "hvx-length=",
	"exec-model=", "tls-dialect=",
	"macosx-version-min=", "macos-version-min=", "ios-version-min=", "iphoneos-version-min=",
};

/* Does the value consist of characters with which no other folder can be named? */
static bool is_plain(const char *value)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:+-";

	return *value && strspn(value, plain) == strlen(value);
}

/* -mavx2, -mno-red-zone, -march=native: not what passes something to LLVM, or takes the next word. */
static bool may_pass_m(const char *word)
{
	static const char *const others[] = { "llvm", "mlir", "odule", "link", "ulti" };
	const char *s = word + 2, *eq = strchr(s, '=');

	assert(str_starts(word, "-m"));
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (str_starts(s, others[i]))
			return false;
	if (!eq)
		return is_plain(s);
	for (size_t i = 0; i < ARRAY_LEN(passed_m); i++)
		if (str_starts(s, passed_m[i]))
			return is_plain(eq + 1);
	return false;
}

static bool may_pass_f(const char *word)
{
	const char *s = word + 2;

	assert(str_starts(word, "-f"));
	if (str_starts(s, "no-"))
		s += 3;
	for (size_t i = 0; i < ARRAY_LEN(passed_f); i++) {
		const char *k = passed_f[i];
		char last = k[strlen(k) - 1];

		if (last == '=' || last == '-' ? str_starts(s, k) : str_eq(s, k))
			return true;
	}
	return false;
}

enum cmd_lang cmd_lang_of(const char *path)
{
	static const char *const other[] = {
		"h", "hh", "hpp", "H", "s", "S", "sx", "asm", "cc", "cp", "cpp", "cxx", "c++", "C", "CPP",
		"ii", "m", "mi", "mm", "M", "mii", "f", "for", "f77", "f90", "f95", "f03", "f08", "F", "F90",
		"adb", "ads", "d", "go", "java", "cu", "cl", "hip", "rs", "ll", "bc",
	};
	const char *ext = path_ext(path);

	if (str_eq(ext, ".c"))
		return CMD_C;
	if (str_eq(ext, ".i"))
		return CMD_CPP_OUTPUT;
	for (size_t i = 0; *ext && i < ARRAY_LEN(other); i++)
		if (str_eq(ext + 1, other[i]))
			return CMD_OTHER_LANG;
	return CMD_LINKER_INPUT;
}

bool cmd_is_cxx(const char *path)
{
	static const char *const cxx[] = {
		"cc", "cp", "cpp", "cxx", "c++", "C", "CPP", "ii", "hh", "hpp", "hxx", "h++", "H",
	};
	const char *ext = path_ext(path);

	for (size_t i = 0; *ext && i < ARRAY_LEN(cxx); i++)
		if (str_eq(ext + 1, cxx[i]))
			return true;
	return false;
}

static enum cmd_lang lang_named(const char *name)
{
	if (str_eq(name, "c"))
		return CMD_C;
	return str_eq(name, "cpp-output") ? CMD_CPP_OUTPUT : CMD_OTHER_LANG;
}

/* State of one pass over the words. */
struct parse {
	struct cmd *c;
	const char *lang;	/* the last -x, or NULL */
	struct args *preproc;	/* words meant for the preprocessor; NULL in their own pass */
	bool only_inputs;	/* after "--" */
};

static void add_input(struct parse *p, const char *word, uint32_t number)
{
	struct cmd_input in = { .word = number };

	if (!p->preproc)	/* -Wp,-MD,FILE */
		return;
	if (str_eq(word, "-"))
		in.lang = CMD_STDIN;
	else
		in.lang = p->lang ? lang_named(p->lang) : cmd_lang_of(word);
	in.path = xstrdup(word);	/* plumb-ignore: cmd_release() goes through all inputs */
	vec_push(&p->c->inputs, in);
}

static void add_preproc(struct parse *p, const char *words)
{
	if (!p->preproc)
		return;
	for (;;) {
		size_t n = strcspn(words, ",");

		args_push_n(p->preproc, words, n);
		if (!words[n])
			break;
		words += n + 1;
	}
}

/* An option that is passed on, as one word. */
static void pass_option(struct cmd *c, const struct option *o, const char *word, const char *value)
{
	bool is_macro = str_eq(o->name, "-D") || str_eq(o->name, "-U");
	const char *dot = value && !is_macro && (value[0] == '-' || value[0] == '@') ? "./" : "";

	assert(word[0] == '-');
	if (str_eq(o->name, "-m") ? !may_pass_m(word) : value && (!*value || (is_macro && *value == '@')))
		return;
	if (str_eq(o->name, "-target") || str_eq(o->name, "--target=")) {
		if (is_plain(value))
			args_push_own(&c->flags, xasprintf("--target=%s", value));
	} else if (str_starts(o->name, "--sysroot")) {
		args_push_own(&c->flags, xasprintf("--sysroot=%s%s", dot, value));
	} else if (o->how == EITHER) {
		args_push_own(&c->flags, xasprintf("%s%s%s", o->name, dot, value));
	} else {
		assert(o->how != NEXT);		/* else the value would be missing: those are above */
		args_push(&c->flags, word);
	}
}

/* An option that the table knows.  value is NULL if it has none; it is part of
 * word unless it was the next word. */
static void known_option(struct parse *p, const struct option *o, const char *word, const char *value)
{
	struct cmd *c = p->c;

	assert(!value == (o->how == FLAG));
	switch (o->what) {
	case DROP:
		break;
	case PASS:
		pass_option(c, o, word, value);
		break;
	case LANG:
		p->lang = str_eq(value, "none") ? NULL : value;
		break;
	case OUTPUT:
		free(c->output);
		c->output = xstrdup(value);
		break;
	case PREPROC:
		add_preproc(p, value);
		break;
	case ORDER:	/* never as an error: clang would then refuse the source */
		args_push(&c->flags, "-Wdeclaration-after-statement");
		break;
	default:
		assert(o->what >= MODE && o->what - MODE <= CMD_INFO);
		c->mode = MAX(c->mode, (enum cmd_mode)(o->what - MODE));
	}
}

static void unknown_option(struct parse *p, const char *word)
{
	if (str_eq(word, "-fplan9-extensions"))		/* clang knows the part that matters */
		args_push(&p->c->flags, "-fms-extensions");
	else if (str_starts(word, "-f") && may_pass_f(word))
		args_push(&p->c->flags, word);
}

static void parse_words(struct parse *p, char *const *argv, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *word = argv[i], *value = NULL;
		const struct option *o;
		bool next;

		if (p->only_inputs || word[0] != '-' || !word[1]) {
			add_input(p, word, i);
			continue;
		}
		if (str_eq(word, "--")) {
			p->only_inputs = true;
			continue;
		}
		if (!(o = find_option(word))) {
			unknown_option(p, word);
			continue;
		}
		next = o->how == NEXT || (o->how == EITHER && str_eq(word, o->name));
		if (next) {
			if (++i == n)	/* the value is missing */
				break;
			value = argv[i];
		} else if (o->how != FLAG) {
			value = word + strlen(o->name);
		}
		known_option(p, o, word, value);
	}
}

/* Whoever wrote the command: its flags are words that clang takes for options, and it has no other input
 * than those that are listed. */
static void cmd_check(const struct cmd *c)
{
	assert(c->mode >= CMD_LINK && c->mode <= CMD_INFO);
#ifdef PLUMB_DEBUG
	for (uint32_t i = 0; i < c->flags.n; i++)
		assert(c->flags.v[i][0] == '-' && c->flags.v[i][1]);
	for (uint32_t i = 0; i < c->inputs.n; i++)
		assert(c->inputs.v[i].path && c->inputs.v[i].lang <= CMD_STDIN);
#endif
}

void cmd_parse(struct cmd *c, char *const *argv, uint32_t n)
{
	struct args preproc = {0};
	struct parse p = { .c = c, .preproc = &preproc };

	memset(c, 0, sizeof(*c));
	parse_words(&p, argv, n);
	p = (struct parse){ .c = c };
	parse_words(&p, preproc.v, preproc.n);
	args_release(&preproc);
	cmd_check(c);
}

void cmd_release(struct cmd *c)
{
	args_release(&c->flags);
	for (uint32_t i = 0; i < c->inputs.n; i++)
		free(c->inputs.v[i].path);
	vec_release(&c->inputs);
	free(c->output);
	memset(c, 0, sizeof(*c));
}

/* ---- what stands before the flags ---- */

static bool is_wrapper(const char *word)
{
	static const char *const names[] = {
		"ccache", "sccache", "distcc", "icecc", "icerun", "gomacc", "buildcache", "fastbuild",
		"nice", "time", "nohup", "env", "colorgcc", "pump",
	};
	const char *base = path_base(word);

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_eq(base, names[i]))
			return true;
	return false;
}

uint32_t cmd_compiler_words(char *const *argv, uint32_t n)
{
	uint32_t i = 0;

	while (i < n) {
		const char *base = path_base(argv[i]);

		if (str_eq(base, "plumb") && i + 1 < n && str_eq(argv[i + 1], "cc"))
			return i + 2;
		if (str_eq(base, "libtool") || str_ends(base, "-libtool")) {
			for (i++; i < n && argv[i][0] == '-'; i++)
				;
		} else if (is_wrapper(argv[i]) && i + 1 < n && argv[i + 1][0] != '-' &&
			   cmd_lang_of(argv[i + 1]) == CMD_LINKER_INPUT) {
			i++;
			while (i < n && strchr(argv[i], '='))	/* env CC=... gcc, ccache x=y gcc */
				i++;
		} else {
			break;
		}
	}
	return MIN(i + 1, n);
}

/* The length of a target triple before "gcc", "cc" or "clang" in a name such as
 * aarch64-linux-gnu-gcc-12, or 0. */
static size_t triple_length(const char *base)
{
	static const char *const names[] = { "-gcc", "-cc", "-clang" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *p = strstr(base, names[i]), *end;

		if (!p)
			continue;
		end = p + strlen(names[i]);
		if ((!*end || *end == '-') && memchr(base, '-', (size_t)(p - base)))
			return (size_t)(p - base);
	}
	return 0;
}

void cmd_compiler_flags(struct args *flags, const char *compiler)
{
	const char *base = path_base(compiler);
	size_t n = triple_length(base);

	if (str_eq(base, "c89"))
		args_push(flags, "-std=c89");
	else if (str_eq(base, "c99"))
		args_push(flags, "-std=c99");
	if (n)
		args_push_own(flags, xasprintf("--target=%.*s", (int)n, base));
}

/* ---- what clang is given ---- */

bool cmd_flag_is_include(const char *flag)
{
	return str_starts(flag, "-include") || str_starts(flag, "-imacros");
}

bool cmd_flag_is_macro(const char *flag)
{
	return str_starts(flag, "-D") || str_starts(flag, "-U") || cmd_flag_is_include(flag);
}

void cmd_flag_for_clang(struct args *argv, const char *flag)
{
	static const char include[] = "-include";

	if (!str_starts(flag, include)) {
		args_push(argv, flag);
		return;
	}
	args_push(argv, "-Xclang");
	args_push(argv, include);
	args_push(argv, "-Xclang");
	args_push(argv, flag + strlen(include));
}
