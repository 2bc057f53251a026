/*
 * ident.h - names and contents of a program's parts, as numbers that hold from
 * one run to the next.
 *
 * An analysis whose results are kept needs to say of which function they are,
 * and to know whether what they rest on is still the same.  Indices of a module
 * say neither: one more string literal moves those behind it.
 *
 *   identity  of a function or global: follows from its name, for what is static
 *             with that of its unit, without folders, for a literal from its text; of
 *             several that are alike the second is another one.  Different for each,
 *             never 0
 *   digest    of the contents: two that are equal mean the same to an analysis.
 *             Positions in the source do not count, nor do indices
 *
 * Both have 64 bits: that two of a million differ and look the same is a chance
 * of one in 10^7.
 */
#ifndef IR_IDENT_H
#define IR_IDENT_H

#include "ir/ir.h"

struct ident_index;

struct idents {
	const struct ir_module *m;
	uint64_t *func, *global;	/* identities, by index */
	uint64_t *type;			/* digests, by index */
	struct ident_index *index;
};

void idents_init(struct idents *d, const struct ir_module *m);
void idents_release(struct idents *d);

/* What has this identity, or IR_NONE. */
uint32_t ident_find_func(const struct idents *d, uint64_t id);
uint32_t ident_find_global(const struct idents *d, uint64_t id);

/* The name of a function as the source spells it (src), if the module has one; else NULL. */
const char *ident_name(const struct idents *d, const char *src);

/* What an operand means; slots and vregs mean the same in each function. */
uint64_t ident_ref(const struct idents *d, ir_ref r);

/* Digests.  The head is what callers see: names, type, flags, whether there is a body. */
uint64_t ident_func_head(const struct idents *d, uint32_t func);
uint64_t ident_func_body(const struct idents *d, uint32_t func);	/* with the heads of all it names */
uint64_t ident_global_digest(const struct idents *d, uint32_t global);

/* The number of an instruction, as it was before plumb fix added others; those that it added are counted
 * behind all that were there. */
uint32_t ident_inst(const struct ir_func *f, uint32_t inst);
/* The other way round; IR_NONE: there are not so many. */
uint32_t ident_find_inst(const struct ir_func *f, uint32_t number);

#endif
