/*
 * build.h - making a module: used by the front end, the readers, the linker.
 *
 * Symbols and types are added in any order; a function's body is made with a
 * struct ir_builder: blocks first, then instructions into the current block,
 * then ir_body_end(), which lays the instructions out block by block, computes
 * successors, predecessors and the definition table.
 */
#ifndef IR_BUILD_H
#define IR_BUILD_H

#include "ir/ir.h"

struct ir_module *ir_module_new(void);
void ir_module_free(struct ir_module *m);

const char *ir_intern(struct ir_module *m, const char *s);
const char *ir_intern_n(struct ir_module *m, const char *s, size_t n);	/* up to n bytes or a NUL */
uint32_t ir_file(struct ir_module *m, const char *path);	/* interned */
ir_ref ir_int(struct ir_module *m, int64_t x);			/* interned */
/* Interned; base itself if offset is 0. */
ir_ref ir_addr(struct ir_module *m, ir_ref base, int64_t offset);

/* Types.  All but structs and unions are interned by content.
 * A struct may refer to itself: ir_type_reserve() gives its number
 * first, ir_type_set() fills it.  Fields are copied into the arena. */
uint32_t ir_type_add(struct ir_module *m, const struct ir_type *t);
uint32_t ir_type_reserve(struct ir_module *m);
void ir_type_set(struct ir_module *m, uint32_t id, const struct ir_type *t);

/* Add a symbol without properties (src of a function is its name) and return its
 * number (not its address: the arrays grow).  Its name stays as given here. */
uint32_t ir_add_global(struct ir_module *m, const char *name, enum ir_linkage l);
uint32_t ir_add_func(struct ir_module *m, const char *name, enum ir_linkage l);
uint32_t ir_add_alias(struct ir_module *m, const char *name, enum ir_linkage l, ir_ref target);
uint32_t ir_add_unit(struct ir_module *m, const char *path, const char *dir);

/* Numbers the results in the order of the instructions.  Each result has a number below nvregs of its own. */
void ir_renumber(struct ir_func *f);

struct ir_builder {
	struct ir_module *m;
	uint32_t func;
	uint32_t cur;			/* current block */
	struct ir_pos pos;		/* given to new instructions */
	uint8_t flags;			/* given to new instructions */
	uint32_t nvregs;
	uint32_t nblocks;
	VEC(struct ir_slot) slots;
	VEC(struct ir_inst) insts;	/* in order of making */
};

/* Function func must have its parameters set; its vregs start after them. */
void ir_body_begin(struct ir_builder *b, struct ir_module *m, uint32_t func);
uint32_t ir_body_block(struct ir_builder *b);
uint32_t ir_body_slot(struct ir_builder *b, const struct ir_slot *s);	/* name is interned */
static inline void ir_body_at(struct ir_builder *b, uint32_t block)
{
	assert(block < b->nblocks);
	b->cur = block;
}

/* Appends an instruction to the current block.  Operands and targets are
 * copied.  Makes a result vreg unless cls is IR_C_VOID or the opcode has none;
 * returns it as a ref, or IR_UNDEF. The pointer form is for setting the fields
 * that only some opcodes have; it is valid until the next call. */
struct ir_inst *ir_body_inst(struct ir_builder *b, enum ir_opcode op, enum ir_class cls,
			     uint16_t bits, const ir_ref *ops, uint32_t nops);
/* Gives an instruction (again) its operands: for a PHI made before its values. */
void ir_body_ops(struct ir_builder *b, struct ir_inst *in, const ir_ref *ops, uint32_t n);
void ir_body_targets(struct ir_builder *b, struct ir_inst *in, const uint32_t *t, uint32_t n);
static inline ir_ref ir_res(const struct ir_inst *in)
{
	return in->res == IR_NONE ? IR_UNDEF : IR_VREG(in->res);
}

/* Finishes the body; every block must end in exactly one terminator, the only
 * one in it.  Blocks that cannot be reached are kept.  Results are numbered anew
 * in the order of blocks, so that refs from before mean nothing afterwards; a
 * PHI's operands are put into the order of the predecessors, repeated ones
 * dropped. */
void ir_body_end(struct ir_builder *b);
void ir_body_abort(struct ir_builder *b);

#endif
