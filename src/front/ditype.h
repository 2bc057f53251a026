/*
 * ditype.h - debug information of LLVM as types of the leak IR.
 *
 * Also the few readers of metadata nodes that several files of this folder need:
 * LLVM's C interface shows a node as a list of operands, and has functions only for
 * some of the fields of a debug-information node.
 */
#ifndef FRONT_DITYPE_H
#define FRONT_DITYPE_H

#include "ir/build.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>

/* Operands of every type: file, scope, name, and since LLVM 21 size and offset. */
#define MD_TYPE_OWN (LLVM_VERSION_MAJOR >= 21 ? 5 : 3)

/* The operands that we read. */
enum {
	MD_SUBRANGE_COUNT     = 0,
	MD_DERIVED_BASE       = MD_TYPE_OWN,
	MD_DERIVED_EXTRA      = MD_TYPE_OWN + 1,	/* a bit field's storage offset */
	MD_COMPOSITE_BASE     = MD_TYPE_OWN,
	MD_COMPOSITE_ELEMENTS = MD_TYPE_OWN + 1,
	MD_SUBROUTINE_TYPES   = MD_TYPE_OWN,
	MD_VARIABLE_NAME      = 1,
	MD_VARIABLE_TYPE      = 3,
	MD_SUBPROGRAM_NAME    = 2,
	MD_SUBPROGRAM_TYPE    = 4,
	MD_SUBPROGRAM_UNIT    = 5,
	MD_BLOCK_SCOPE        = 1,	/* of a DILexicalBlock(File) */
	MD_UNIT_RETAINED      = 5,
};

#define MAP_NAME mdmap
#define MAP_KEY LLVMMetadataRef
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix((uintptr_t)(k))
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

VEC_TYPE(mdvec, LLVMValueRef);		/* operands; NULL where a node has none */

/* A struct or union whose number is given and whose members are not read yet. */
struct ditype_todo {
	LLVMMetadataRef md;
	uint32_t id;
};

struct ditype {
	struct ir_module *m;
	LLVMContextRef ctx;
	bool char_unsigned;		/* plain char, on the module's target */
	unsigned depth;
	struct mdmap known;		/* node -> type */
	VEC(struct ditype_todo) todo;
};

void ditype_init(struct ditype *d, struct ir_module *m, LLVMContextRef ctx, const char *triple);
void ditype_release(struct ditype *d);

/* The type of a DIType node; NULL is void.  0 for what is no type, or nested
 * too deeply. */
uint32_t ditype_get(struct ditype *d, LLVMMetadataRef md);

/* The node without const, volatile, restrict, _Atomic. */
LLVMMetadataRef ditype_unqualified(LLVMContextRef ctx, LLVMMetadataRef md);

/* ---- metadata -------------------------------------------------------- */

bool md_is(LLVMMetadataRef md, LLVMMetadataKind kind);		/* false for NULL */
/* Replaces ops by the operands of a node (none if md is NULL or no node). */
void md_operands(struct mdvec *ops, LLVMContextRef ctx, LLVMMetadataRef md);
/* Operand i of a node, NULL if there is none. */
LLVMMetadataRef md_operand(LLVMContextRef ctx, LLVMMetadataRef md, unsigned i);
/* The text of an operand that is a string; "" otherwise.  Lives with the context. */
const char *md_string(LLVMValueRef op, unsigned *n);
/* True and *x if the operand is an integer. */
bool md_integer(LLVMValueRef op, int64_t *x);

#endif
