/*
 * modsym.h - one ELF file and its debug information, in a worker of symbol.c.
 *
 * Of all files only modsym.c knows elfutils for names and lines.  That library is not
 * ours, and the files may be damaged on purpose: a caller must expect that any call
 * crashes or never returns.
 */
#ifndef RUN_MODSYM_H
#define RUN_MODSYM_H

#include "run/symbol.h"

struct modsym;
struct sbuf;

struct modsym_input {
	const char *path;		/* "" if unknown */
	const void *id;			/* its build-id */
	size_t nid;
	const char *debug_path;		/* folders with debug files, in elfutils' notation */
	const char *const *debug_dirs;	/* the same folders, one by one; ends with NULL */
	bool names_only;		/* leave the debug information alone */
};

/* NULL: *source tells why there is nothing; else how much there is. */
struct modsym *modsym_open(const struct modsym_input *in, enum symbol_source *source);
void modsym_close(struct modsym *m);

/* Calls put for each function at this address, innermost first; at least once. */
typedef void modsym_put(void *ctx, const struct symbol_frame *f);
void modsym_find(struct modsym *m, uint64_t offset, modsym_put *put, void *ctx);

#endif
