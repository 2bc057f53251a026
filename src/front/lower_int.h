/*
 * lower_int.h - what the files lower*.c share and nobody else sees.
 *
 *   lower.c        reading the module, symbols, attributes
 *   lower_type.c   LLVM's types: sizes, classes, leaves; their debug types
 *   lower_const.c  constants that need no instruction; initialisers
 *   lower_debug.c  positions, files, units, source variables
 *   lower_func.c   bodies: blocks in order, parameters, phis, operands
 *   lower_inst.c   instructions
 *   lower_addr.c   getelementptr and accesses: members, elements, arithmetic
 *   lower_call.c   calls, intrinsics, inline assembly
 *
 * Words used here only:
 *
 *   leaf    one scalar of a first-class aggregate, with its offset
 *   pseudo  a ref of kind REF_AGG: no operand of the leak IR, but an aggregate
 *           value that exists as leaves, or an intrinsic function in the symbol map
 */
#ifndef FRONT_LOWER_INT_H
#define FRONT_LOWER_INT_H

#include "front/ditype.h"
#include "ir/build.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* ---- LLVM's types ---------------------------------------------------- */

struct low_type;

/* Interned names of structs, unions and typedefs of nameless ones. */
struct low_tag {
	const char *name;
	uint8_t kind;			/* IR_T_STRUCT or IR_T_UNION */
};

struct low_leaf {
	uint64_t offset;
	struct low_type *type;		/* never IR_C_AGG */
};

struct low_type {
	LLVMTypeRef ty;
	LLVMTypeKind kind;
	uint8_t cls;			/* enum ir_class; AGG only with a sane number of leaves */
	uint16_t bits;
	bool sized;			/* has a size known here; not a scalable vector */
	uint64_t size;			/* bytes it takes in an array; 0 if not sized */
	uint32_t n;			/* struct: members */
	uint64_t count;			/* array, vector: elements */
	const uint64_t *offsets;	/* struct: of the members */
	struct low_type **members;	/* struct; members[0] is the element otherwise */
	uint32_t nleaves;		/* cls AGG */
	struct low_leaf *leaves;
	struct low_tag tag;		/* struct: what clang called it; NULL if nothing */
	bool anon;			/* struct: one that the source gave no name */
	uint32_t debug;			/* struct: its debug type, 0 if unknown (yet) */
	uint32_t debug_tried;		/* number of debug types when it was last looked up */
};

#define MAP_NAME typemap
#define MAP_KEY LLVMTypeRef
#define MAP_VAL struct low_type *
#define MAP_HASH(k) hash_mix((uintptr_t)(k))
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME valmap
#define MAP_KEY LLVMValueRef
#define MAP_VAL ir_ref
#define MAP_HASH(k) hash_mix((uintptr_t)(k))
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME tagmap
#define MAP_KEY struct low_tag
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join((uintptr_t)(k).name, (k).kind)
#define MAP_EQ(a, b) ((a).name == (b).name && (a).kind == (b).kind)
#include "base/map.h"

struct low_tagged {
	uint32_t type;
	uint32_t next;			/* index + 1 of another of the same name */
};

/* ---- one module ------------------------------------------------------ */

struct low_attrs {			/* LLVM's numbers of the attributes that we read */
	unsigned noreturn, returns_twice, noalias, memory, byval, sret, inlinehint, alwaysinline;
};

struct lower {
	struct ir_module *m;
	const char *name;		/* the input, for messages */
	LLVMContextRef ctx;
	LLVMModuleRef llvm;
	LLVMTargetDataRef layout;
	uint16_t ptr_bits;
	struct low_attrs attr;
	unsigned md_dbg;		/* kind of the attachment !dbg */
	struct arena arena;		/* what lives as long as the lowering */
	struct sbuf *diag;		/* LLVM's first complaint */
	char *error;			/* why the module cannot be lowered, or NULL */

	struct ditype di;
	struct typemap types;
	struct tagmap tags;		/* -> index + 1 into tagged */
	VEC(struct low_tagged) tagged;
	uint32_t ntagged;		/* debug types below this are in tags */
	VEC(struct low_type *) anons;	/* by debug type: the nameless struct that it is, or NULL */

	unsigned nunnamed;		/* symbols that were given a name */
	struct valmap syms;		/* global values -> refs, pseudo for intrinsics */
	struct mdmap files;		/* DIFile or scope -> file number */
	struct mdmap units;		/* DICompileUnit -> unit number */
	struct mdmap subprograms;	/* DISubprogram -> function number + 1 */
	LLVMMetadataRef no_expr;	/* the empty DIExpression */
	LLVMMetadataRef deref_expr;	/* the one that only dereferences */
	LLVMMetadataRef last_loc;	/* the last position asked for */
	struct ir_pos last_pos;
};

/* Remembers the first reason to give up; lowering continues to a safe end. */
void low_fail(struct lower *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define REF_PSEUDO 7
#define LOW_PSEUDO(i) IR_REF(REF_PSEUDO, i)
#define LOW_IS_PSEUDO(r) ((r) >> 29 == REF_PSEUDO)

/* The size of a slot or variable: verify.c allows none of 2^48 bytes and more. */
static inline uint64_t low_object_size(uint64_t size)
{
	return MIN(size, ((uint64_t)1 << 48) - 1);
}

/* lower_type.c */
struct low_type *low_type(struct lower *l, LLVMTypeRef ty);
static inline struct low_type *low_type_of(struct lower *l, LLVMValueRef v)
{
	return low_type(l, LLVMTypeOf(v));
}
/* The debug struct or union laid out like LLVM struct t, given that the object
 * at hand has debug type `object` (0 if unknown); 0 if none is known. */
uint32_t low_debug_struct(struct lower *l, struct low_type *t, uint32_t object);
/* Could t be the debug struct or union `type`?  Decides nothing. */
bool low_debug_matches(struct lower *l, struct low_type *t, uint32_t type);
/* The member of a debug struct at an offset, with a size if there are several;
 * IR_NONE if it is not clear which. */
uint32_t low_debug_member(struct lower *l, uint32_t type, uint64_t offset, uint64_t size);
/* The debug type of what lies at an offset in an object: struct members first,
 * the outermost that begins there.  0 if unknown. */
uint32_t low_debug_at(struct lower *l, uint32_t type, int64_t offset);

/* lower_const.c */
/* True and *r if the constant is an operand by itself.  False: it holds the
 * address of a symbol in a way that takes instructions (low_value makes them). */
bool low_const(struct lower *l, LLVMValueRef c, ir_ref *r);
ir_ref low_int_const(struct lower *l, int64_t x, unsigned bits);
/* v: a global variable that has an initialiser */
void low_initialiser(struct lower *l, uint32_t global, LLVMValueRef v);

/* lower_debug.c */
void low_debug_prepare(LLVMModuleRef m);		/* before anything is read of it */
void low_debug_init(struct lower *l);
uint32_t low_file(struct lower *l, LLVMMetadataRef scope);	/* IR_NONE if unknown */
struct ir_pos low_pos(struct lower *l, LLVMMetadataRef loc);	/* loc may be NULL */
uint32_t low_unit(struct lower *l, LLVMMetadataRef cu);
void low_debug_global(struct lower *l, uint32_t global, LLVMValueRef v);
void low_debug_func(struct lower *l, uint32_t func, LLVMValueRef v);

/* ---- one function ---------------------------------------------------- */

struct low_phi {			/* a PHI that waits for its operands */
	LLVMValueRef v;
	uint32_t inst;			/* the first of nleaves, index in builder.insts */
	uint32_t nleaves;
};

struct low_edge {			/* a constant phi operand that takes instructions */
	LLVMValueRef v;
	uint32_t block;			/* at the end of which they are made */
	ir_ref ref;			/* their result */
};

struct low_agg {			/* an aggregate value */
	uint32_t first, n;		/* leaves[first .. first+n-1] */
};

struct low_var {			/* beside each slot */
	LLVMMetadataRef scope;		/* of the source variable, or NULL */
	uint32_t col;			/* of its declaration */
};

struct low_cleanup {			/* a call f(&variable): perhaps of a cleanup function */
	uint32_t inst;			/* index in builder.insts */
	LLVMMetadataRef scope;		/* of its position */
};

VEC_TYPE(refvec, ir_ref);
VEC_TYPE(u32vec, uint32_t);

struct low_func {
	struct lower *l;
	struct ir_builder b;
	LLVMValueRef fn;
	LLVMMetadataRef sp;		/* its DISubprogram, or NULL */

	VEC(LLVMBasicBlockRef) blocks;	/* those that can be reached; index: our block number */
	struct valmap layout;		/* block as value -> its place in LLVM's order */
	struct u32vec number;		/* by that place: our block number, or IR_NONE */
	struct valmap values;		/* arguments and results -> refs, pseudo for aggregates */
	VEC(struct low_agg) aggs;
	struct refvec leaves;
	struct u32vec pointee;		/* per vreg: debug type of what it points to */
	VEC(struct low_phi) phis;
	VEC(struct low_edge) edges_todo;	/* ref is not used */
	VEC(struct low_edge) edges;
	unsigned const_parts;		/* of the constant that is being computed */
	bool at_edge;			/* low_value: remember what takes instructions in edges */
	uint32_t from_block;		/* low_value: take it from there; IR_NONE otherwise */
	VEC(struct low_var) vars;	/* per slot */
	struct refvec ops;		/* scratch: operands of a call and the like */

	struct u32vec param_vreg;	/* by LLVM's parameters: the first vreg */
	struct mdvec params;		/* debug types of the source parameters, [0] the result */
	uint32_t next_param;		/* number of the next one to meet, from 1 */
	bool prologue;			/* only parameters were declared so far */
	uint32_t sret_vreg;		/* parameter whose memory is variable sret_slot, or IR_NONE */
	uint32_t sret_slot;
	uint64_t sret_size;
	struct ir_pos ret_pos;		/* of the function's end */
	VEC(struct low_cleanup) cleanups;
};

/* lower_func.c */
void low_func_release(struct low_func *f);
/* f is zeroed or was used before: its memory is used again. */
void low_body(struct low_func *f, struct lower *l, uint32_t func, LLVMValueRef fn);
/* The operand for a value that is no aggregate; makes instructions for constants
 * that are no operands. */
ir_ref low_value(struct low_func *f, LLVMValueRef v);
/* Appends the leaves of any value to out: one for a scalar. */
void low_leaves(struct low_func *f, LLVMValueRef v, struct refvec *out);
void low_set(struct low_func *f, LLVMValueRef v, ir_ref r);
void low_set_leaves(struct low_func *f, LLVMValueRef v, const ir_ref *r, uint32_t n);
void low_same(struct low_func *f, LLVMValueRef v, LLVMValueRef as);	/* v is the value of as */
uint32_t low_block(struct low_func *f, LLVMBasicBlockRef bb);	/* IR_NONE if it cannot be reached */
uint32_t low_slot(struct low_func *f, const struct ir_slot *s);
static inline ir_ref low_param(const struct low_func *f, uint32_t i)
{
	assert(i < f->param_vreg.n);
	return IR_VREG(f->param_vreg.v[i]);
}
/* To be called at the end of each block, before its terminator. */
void low_end_of_block(struct low_func *f);

/* The debug type of the object at an address; what a vreg points to. */
uint32_t low_object(struct low_func *f, ir_ref addr);
void low_set_object(struct low_func *f, ir_ref r, uint32_t type);
/* r holds a value of this debug type: if that is a pointer, remember to what. */
void low_set_value_type(struct low_func *f, ir_ref r, uint32_t type);

/* Shorthands: an instruction with its result. */
struct ir_inst *low_emit(struct low_func *f, enum ir_opcode op, const struct low_type *t,
			 const ir_ref *ops, uint32_t n);
ir_ref low_opaque(struct low_func *f, const struct low_type *t, const ir_ref *ops, uint32_t n);

/* The value v, of which nothing is known but what it is made of. */
ir_ref low_opaque_of(struct low_func *f, LLVMValueRef v);
/* Gives v an opaque value of its type, leaf by leaf; nothing if that is void. */
void low_set_opaque(struct low_func *f, LLVMValueRef v, const ir_ref *ops, uint32_t n);
void low_memcpy(struct low_func *f, ir_ref dst, ir_ref src, uint64_t size);	/* IR_F_IMPLICIT */

/* lower_inst.c */
void low_inst(struct low_func *f, LLVMValueRef in);
/* What an instruction and a constant expression have in common. */
ir_ref low_operation(struct low_func *f, LLVMOpcode op, LLVMValueRef v);
ir_ref low_binary(struct low_func *f, int bin, const struct low_type *t, ir_ref a, ir_ref b);

/* Makes the slot of an alloca of constant size, unless it is there; false if the
 * size is not constant. */
bool low_fixed_slot(struct low_func *f, LLVMValueRef in);

/* lower_addr.c */
ir_ref low_leaf_addr(struct low_func *f, ir_ref base, const struct low_leaf *leaf);
ir_ref low_gep(struct low_func *f, LLVMValueRef v);
/* Is this the address of padding, for a memset that clears padding alone? */
bool low_is_padding(struct low_func *f, LLVMValueRef gep);
ir_ref low_load(struct low_func *f, struct low_type *t, ir_ref addr, uint8_t flags);
void low_store(struct low_func *f, struct low_type *t, ir_ref addr, ir_ref value,
	       uint8_t flags);

/* lower_call.c */
enum low_intrinsic {
	INTR_DROP,			/* no meaning for us */
	INTR_VALUE,			/* a value computed from the arguments */
	INTR_SAME,			/* the first argument */
	INTR_CALL,			/* like any function */
	INTR_MEMCPY, INTR_MEMSET, INTR_VASTART, INTR_VACOPY, INTR_VAEND,
	INTR_DECLARE, INTR_DBG_VALUE,	/* read by low_read_debug() */
	INTR_ADD, INTR_SUB, INTR_MUL,	/* with overflow */
	INTR_LOAD, INTR_STORE,		/* of some elements of a vector */
};
/* What to do about calls of an intrinsic function. */
enum low_intrinsic low_intrinsic(struct lower *l, LLVMValueRef fn, const char *name);
void low_call(struct low_func *f, LLVMValueRef in);

/* lower_debug.c */
void low_func_debug(struct low_func *f);		/* before the body */
/* Does a variable live in the memory that an argument points to? */
bool low_is_declared(struct low_func *f, LLVMValueRef arg);
/* Reads what debug information says of variables at an instruction; true if the instruction is nothing
 * else. */
bool low_read_debug(struct low_func *f, LLVMValueRef in);
/* A call of fn(&slot) was made, builder.insts[inst]. */
void low_note_cleanup(struct low_func *f, LLVMValueRef call, uint32_t inst);
void low_mark_cleanups(struct low_func *f);		/* after the body */

/* lower.c */
/* Adds a function symbol for a function of LLVM's, and remembers it in l->syms. */
ir_ref low_add_func(struct lower *l, LLVMValueRef fn);
/* What a function may do to memory: 2 bits (reads, writes) for each kind of it. */
uint64_t low_memory_effects(struct lower *l, LLVMValueRef fn);

#endif
