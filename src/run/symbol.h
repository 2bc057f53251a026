/*
 * symbol.h - from an address in a module to function, file and line.
 *
 * Run files and bounds files name code by (module, offset): the build-id and the
 * path of an ELF file, and an address in it as its linker gave it (the address in
 * the process minus the load bias, dlpi_addr of dl_iterate_phdr).  All addresses
 * of interest are asked for first and resolved together:
 *
 *	struct symbols *s = symbols_new();
 *	uint32_t m = symbols_module(s, path, id, nid);
 *	uint32_t a = symbols_want(s, m, offset, SYMBOL_RETURN);
 *	...
 *	symbols_resolve(s);
 *	struct symbol_frames f = symbols_frames(s, a);
 *
 * One address is one frame, or more of them if calls were inlined there: the
 * innermost function first.  Addresses in a module that is gone, has changed since or
 * is damaged have no names; others are not affected.
 */
#ifndef RUN_SYMBOL_H
#define RUN_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

struct symbol_frame {
	const char *function;	/* "" if unknown; C++ names are spelt out */
	const char *file;	/* as the debug information has it, absolute where that
				 * can be told; "" if unknown */
	unsigned line;		/* 0 if unknown */
	bool inlined;		/* into the frame that follows */
};

/* Never empty after symbols_resolve(): what is unknown is one frame of "". */
struct symbol_frames {
	const struct symbol_frame *v;
	uint32_t n;
};

enum symbol_address {
	SYMBOL_RETURN,		/* where a call returns to: the call itself is looked up */
	SYMBOL_EXACT,		/* an instruction */
};

/* The source of a module's names. */
enum symbol_source {
	SYMBOL_UNASKED,		/* no address of it was wanted yet */
	SYMBOL_DEBUG,		/* it has debug information, its own or in another file */
	SYMBOL_NAMES,		/* symbol tables only */
	SYMBOL_NOTHING,		/* it is there, but stripped of everything */
	SYMBOL_MISSING,		/* the file cannot be read, nor a debug file by build-id */
	SYMBOL_CHANGED,		/* the file is another one than that of the run */
	SYMBOL_DAMAGED,		/* reading it failed, crashed or took too long */
};

struct symbols *symbols_new(void);
void symbols_free(struct symbols *s);

/* A folder to look for debug files in, laid out like /usr/lib/debug (which is
 * always searched, as are the module's own folder and .debug below it). */
void symbols_add_debug_dir(struct symbols *s, const char *dir);

/* The number of a module; the same for the same path and build-id.  path may be
 * "" (code that came from no file), nid 0 (no build-id: the file is believed). */
uint32_t symbols_module(struct symbols *s, const char *path, const void *id, size_t nid);

/* The number of an address, the same for the same question. */
uint32_t symbols_want(struct symbols *s, uint32_t module, uint64_t offset, enum symbol_address kind);

/* Looks up all addresses that were wanted since the last call.  The work is done in other
 * processes, one module each. */
void symbols_resolve(struct symbols *s);

/* Of an address that was resolved; the strings live as long as s. */
struct symbol_frames symbols_frames(const struct symbols *s, uint32_t address);
enum symbol_source symbols_source(const struct symbols *s, uint32_t module);

#endif
