/*
 * io.h - the IR outside of memory: binary records, text, linking, checking.
 */
#ifndef IR_IO_H
#define IR_IO_H

#include "ir/ir.h"

#include <stdio.h>

struct sbuf;

/* ---- binary: write.c, read.c ---------------------------------------- *
 * A record is: magic, version, length, checksum, then varint-coded sections;
 * padded to 8 bytes, so that a linker can concatenate records into one ELF
 * section.  Position-independent; byte order is little-endian everywhere. */
#define IR_VERSION 4
/* Read as well, as if what it lacks were not known: 1 is without the values of enumerations,
 * 2 without the flags of units, 3 without nsw. */
#define IR_OLDEST 1

/* Files, types, integers and addresses that nothing refers to are left out, and
 * the others may get other numbers. */
void ir_write(const struct ir_module *m, struct sbuf *out);

/* Reads the record at p.  0: *out is the caller's, *used its length with
 * padding.  Negative: damaged, of another version, cut short; the message says
 * what.  Never crashes, whatever the bytes: the result passed ir_verify().  The
 * hash of a single unit is the record's checksum. */
int ir_read(struct ir_module **out, size_t *used, const void *p, size_t n);

/* The length of the record at p with padding, without decoding; negative if it
 * is no record or is cut short.  Zero padding before a record is skipped by the
 * caller in steps of 8. */
int ir_record_size(size_t *size, const void *p, size_t n);

/* ---- text: print.c, parse.c ----------------------------------------- */
enum { IR_PRINT_TYPES = 1, IR_PRINT_POS = 2, IR_PRINT_ALL = 3 };

/* With IR_PRINT_ALL the text is complete: ir_parse gives an equal module. */
void ir_print(const struct ir_module *m, FILE *f, int what);
void ir_print_func(const struct ir_module *m, const struct ir_func *fn, FILE *f, int what);
void ir_print_inst(const struct ir_module *m, const struct ir_func *fn, const struct ir_inst *in,
		   FILE *f, int what);
int ir_parse(struct ir_module **out, const char *text, size_t n, const char *name);

/* ---- link.c --------------------------------------------------------- *
 * One program from units, with the rules of a linker: a strong definition
 * beats weak and common ones, commons merge to the largest, static symbols stay
 * apart, declarations bind by name, aliases resolve.  Two strong definitions:
 * inside its own unit each is used, elsewhere the first (a compilation database
 * may hold several programs); *dups counts them.  The same unit given twice
 * (same path and same content) is taken once.  The inputs are not changed and
 * may be freed afterwards. */
int ir_link(struct ir_module **out, struct ir_module *const *in, unsigned n, unsigned *dups);

/* A program and the shared libraries that it is run with: each is a scope of its own, in the order in
 * which the dynamic linker looks for names.  A name that a scope does not export means the scope's own
 * definition there; any other the first definition that is exported, weak or not. */
struct ir_exports {
	bool all;
	VEC(char *) names;	/* sorted */
};
bool ir_exports(const struct ir_exports *e, const char *name);
struct ir_scopes {
	const uint32_t *of;	/* by input */
	const struct ir_exports *exports;	/* by scope */
	uint32_t n;
};
/* The same with scopes (NULL: there is one), and with bodies from elsewhere: over (or NULL) has for each
 * unit in[i] a module over[i] (or NULL) that was compiled from the same source, and may lack whatever else
 * the source has.  A function of in[i] that over[i] defines, too, has the body that it has there.  What
 * only over[i] has is left out if no such body needs it. */
int ir_link_over(struct ir_module **out, struct ir_module *const *in, struct ir_module *const *over,
		 unsigned n, const struct ir_scopes *scopes, unsigned *dups);

/* ---- verify.c ------------------------------------------------------- *
 * Everything an analysis may rely on: indices in range, every block ends in
 * one terminator, operand counts, definitions before uses along dominators (by
 * a simple dataflow), phi operands match predecessors, offsets of fields, ... */
int ir_verify(const struct ir_module *m);

/* ---- prune.c -------------------------------------------------------- *
 * Turns structs and unions whose members the unit does not use into declared
 * ones; ir_link() finds their definitions in other units.  For the front end,
 * between lowering and ir_write(): it makes records much smaller. */
void ir_prune(struct ir_module *m);

/* Structural equality, for tests; the numbers of files, types, integers and
 * addresses do not matter.  Negative: the message names the difference. */
int ir_equal(const struct ir_module *a, const struct ir_module *b);

/* ---- expr.c --------------------------------------------------------- *
 * An operand as a person would write it in the source: "ctx->name", "buf[i]",
 * "*out", "n + 1", "strlen(s)".  Names come from slots and types.  False if
 * there is no faithful source form (a temporary, an opaque value): out then
 * holds a readable stand-in. */
bool ir_expr(struct sbuf *out, const struct ir_module *m, const struct ir_func *f, ir_ref r);
/* The lvalue stored to through address r: "ctx->name" for FIELD(LOAD ctx, name). */
bool ir_expr_lvalue(struct sbuf *out, const struct ir_module *m, const struct ir_func *f, ir_ref addr);
/* The condition of a CONDBR as text, negated if !taken: "n < 0", "!p", "p == NULL". */
bool ir_expr_cond(struct sbuf *out, const struct ir_module *m, const struct ir_func *f,
		  ir_ref cond, bool taken);
/* A caller that knows the source may say how the source writes a constant, of which the IR has the value
 * only: each of these functions appends that to out, or returns false and does not change out. */
struct ir_spelling {
	/* The second operand of an operator; `other` is the text of the first. */
	bool (*operand)(void *arg, struct sbuf *out, const struct ir_pos *sign_at, const char *sign,
			const char *other, int64_t value);
	/* The label of a switch whose code begins at code_at. */
	bool (*label)(void *arg, struct sbuf *out, const struct ir_pos *switch_at,
		      const struct ir_pos *code_at, int64_t value);
	void *arg;
};
/* The outcome of a branch by its target number t: "n < 0", "kind == 3".  False if it has none, as
 * has the default of a switch.  how may be NULL. */
bool ir_expr_branch(struct sbuf *out, const struct ir_module *m, const struct ir_func *f,
		    const struct ir_inst *in, uint32_t t, const struct ir_spelling *how);
/* A type in C syntax with a declared name: "struct node *next", "int (*cmp)(void *, void *)". */
void ir_type_text(struct sbuf *out, const struct ir_module *m, uint32_t type, const char *name);

#endif
