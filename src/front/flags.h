/*
 * flags.h - a command line of gcc or clang, understood and turned into flags for
 * our clang.
 */
#ifndef FRONT_FLAGS_H
#define FRONT_FLAGS_H

#include "front/args.h"

enum cmd_mode {			/* how far the compiler goes; the larger wins */
	CMD_LINK,
	CMD_OBJECT,		/* -c */
	CMD_ASSEMBLY,		/* -S, -fsyntax-only: compiles, but makes no object */
	CMD_PREPROCESS,		/* -E, -M, -MM */
	CMD_INFO,		/* --version, -###, -print-...: compiles nothing */
};

enum cmd_lang {
	CMD_C,
	CMD_CPP_OUTPUT,		/* C, already preprocessed */
	CMD_OTHER_LANG,		/* C++, assembly, a header to precompile, ... */
	CMD_LINKER_INPUT,	/* objects, libraries, linker scripts */
	CMD_STDIN,		/* "-" */
};

struct cmd_input {
	char *path;
	enum cmd_lang lang;
	uint32_t word;		/* which of the words it is */
};

struct cmd {
	struct args flags;	/* what matters for the IR, in clang's spelling; each is one word (-Ifoo, not
				 * -I foo) and begins with a dash */
	VEC(struct cmd_input) inputs;
	char *output;		/* -o, or NULL */
	enum cmd_mode mode;
};

/* Reads the words after the compiler's name; @FILEs are already expanded.
 * Nothing is an error: what is not understood is left out. */
void cmd_parse(struct cmd *c, char *const *argv, uint32_t n);
void cmd_release(struct cmd *c);

/* The number of words up to and including the compiler in a command that may
 * start with ccache, distcc, libtool, `plumb cc` and the like; at least 1 if
 * n > 0. */
uint32_t cmd_compiler_words(char *const *argv, uint32_t n);

bool cmd_flag_is_include(const char *flag);	/* -include, -imacros */
bool cmd_flag_is_macro(const char *flag);	/* these, -D, -U: a preprocessed source ignores them */

/* Adds a flag to a command of clang.  -include goes past clang's driver, which would take FILE.pch or
 * FILE.gch, whoever has made it, for the header FILE. */
void cmd_flag_for_clang(struct args *argv, const char *flag);

/* Flags that the compiler's name stands for: c89, c99, aarch64-linux-gnu-gcc. */
void cmd_compiler_flags(struct args *flags, const char *compiler);

enum cmd_lang cmd_lang_of(const char *path);	/* by its extension */
bool cmd_is_cxx(const char *path);		/* C++, by its extension */

#endif
