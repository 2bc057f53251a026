/*
 * ir.h - the leak IR: the one form of a program that the analyses see.
 *
 * Vocabulary, each word with one meaning:
 *
 *   module    one translation unit, or a whole program after ir_link()
 *   unit      a translation unit; a linked module knows of which it was made
 *   type      a source type, from debug information: for names and layouts.
 *             The IR itself needs none; 0 is "unknown"
 *   symbol    a global variable or a function
 *   slot      a local variable, parameter copy or temporary: memory of one
 *             function activation.  Every source variable is a slot
 *   vreg      a value computed once in a function, numbered from 0:
 *             parameters first, then results in the order of instructions
 *   ref       an operand: vreg, address of slot/global/function, constant
 *   class     what kind of value: integer, pointer, ... with a width in bits
 *   leaf      one scalar of an aggregate passed or returned by value.  The IR
 *             has no aggregate values except the result of a call or asm, which
 *             EXTRACT takes apart; arguments and RET list their leaves
 *
 * A slot, global or function named as an operand stands for its address, so
 * the SABER paper's "address" statement is an operand, not an instruction.
 * Loads and stores name their width; FIELD, ELEM and INDEX tell a struct
 * member from an array element from plain pointer arithmetic.
 *
 * What the front end promises: nothing that can carry a pointer is lost.
 * Struct assignment is MEMCPY, by-value struct arguments are copied to a slot
 * by the caller and passed by address, unions are plain memory, pointers cast
 * to integers and back are CASTs, and what is not modelled at all (floating
 * point, vectors) is OPAQUE over its operands.
 *
 * Everything in a module lives in its arena; strings are interned, so that
 * within one module equal strings have equal addresses.
 */
#ifndef IR_IR_H
#define IR_IR_H

#include "base/arena.h"
#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>

#define IR_NONE UINT32_MAX

/* ---- types ---------------------------------------------------------- */

enum ir_tkind {
	IR_T_UNKNOWN, IR_T_VOID, IR_T_INT, IR_T_FLOAT, IR_T_PTR, IR_T_ARRAY,
	IR_T_STRUCT, IR_T_UNION, IR_T_ENUM, IR_T_FUNC, IR_T_TYPEDEF,
	IR_T__COUNT
};

enum {	/* flags of a type */
	IR_TF_UNSIGNED = 1,	/* INT, ENUM */
	IR_TF_CONST    = 2,	/* PTR: to const */
	IR_TF_VARIADIC = 4,	/* FUNC */
	IR_TF_DECL     = 8,	/* STRUCT, UNION: declared only, no layout */
	IR_TF_BOOL     = 16,	/* INT: _Bool */
	IR_TF_CHAR     = 32,	/* INT: a character type */
};

struct ir_field {
	const char *name;	/* "" if anonymous */
	uint32_t type;
	uint64_t offset;	/* bytes; of the storage unit for a bit field */
	uint16_t bit_offset, bit_size;	/* bit field: within the unit; else 0, 0 */
};

struct ir_type {
	uint8_t kind, flags;
	const char *name;	/* tag, typedef or base type name; "" if none */
	uint64_t size;		/* bytes; 0 if unknown */
	uint32_t elem;		/* pointee, element, typedef's target, result */
	uint64_t count;		/* ARRAY: elements, 0 if unknown or variable; ENUM: see first */
	int64_t first;		/* ENUM: the enumerators are first .. first + count - 1; 0 and 0 if they are
				 * not consecutive, as flags are, or not known */
	uint32_t nfields;
	struct ir_field *fields;	/* members; of FUNC the parameters */
};

/* ---- values --------------------------------------------------------- */

enum ir_class {
	IR_C_VOID, IR_C_INT, IR_C_PTR, IR_C_FLOAT, IR_C_AGG, IR_C_OPAQUE,
	IR_C__COUNT
};

typedef uint32_t ir_ref;

enum ir_rkind {
	IR_R_VREG, IR_R_SLOT, IR_R_GLOBAL, IR_R_FUNC,
	IR_R_INT,		/* index into module->ints */
	IR_R_ADDR,		/* index into module->addrs: symbol + offset */
	IR_R_SPECIAL,		/* IR_NULL, IR_UNDEF, IR_CONST */
};

#define IR_REF(kind, i) ((ir_ref)(kind) << 29 | (ir_ref)(i))
#define IR_KIND(r) ((enum ir_rkind)((r) >> 29))
#define IR_IDX(r) ((uint32_t)(r) & 0x1fffffff)
#define IR_MAX_IDX 0x1fffffffu
#define IR_NULL IR_REF(IR_R_SPECIAL, 0)		/* the null pointer */
#define IR_UNDEF IR_REF(IR_R_SPECIAL, 1)	/* undefined or poison */
#define IR_CONST IR_REF(IR_R_SPECIAL, 2)	/* a constant we do not model (float, label, wide integer) */
#define IR_VREG(i) IR_REF(IR_R_VREG, i)
#define IR_SLOT(i) IR_REF(IR_R_SLOT, i)

struct ir_addr {		/* the address of a part of a global or function */
	ir_ref base;		/* IR_R_GLOBAL or IR_R_FUNC */
	int64_t offset;
};

struct ir_pos {
	uint32_t file;		/* index into module->files; IR_NONE if unknown */
	uint32_t line;		/* 0 if unknown */
	uint16_t col;
};

/* ---- instructions --------------------------------------------------- */

enum ir_opcode {
#define X(e, name, n, f) IR_##e,
#include "ir/ops.def"
#undef X
	IR__OPS
};

/* Tables over these names are in print.c; the text form spells them so. */
#define IR_BINS(X) X(ADD, "add") X(SUB, "sub") X(MUL, "mul") X(UDIV, "udiv") X(SDIV, "sdiv") \
	X(UREM, "urem") X(SREM, "srem") X(AND, "and") X(OR, "or") X(XOR, "xor") \
	X(SHL, "shl") X(LSHR, "lshr") X(ASHR, "ashr")
#define IR_PREDS(X) X(EQ, "eq") X(NE, "ne") X(ULT, "ult") X(ULE, "ule") X(UGT, "ugt") X(UGE, "uge") \
	X(SLT, "slt") X(SLE, "sle") X(SGT, "sgt") X(SGE, "sge")
#define IR_CASTS(X) X(ZEXT, "zext") X(SEXT, "sext") X(TRUNC, "trunc") X(PTRTOINT, "ptrtoint") \
	X(INTTOPTR, "inttoptr") X(BITCAST, "bitcast")
enum ir_bin {
#define Y(e, n) IR_B_##e,
	IR_BINS(Y) IR_B__COUNT
};
enum ir_pred {
#undef Y
#define Y(e, n) IR_P_##e,
	IR_PREDS(Y) IR_P__COUNT
};
enum ir_cast {
#undef Y
#define Y(e, n) IR_CAST_##e,
	IR_CASTS(Y) IR_CAST__COUNT
#undef Y
};

enum {	/* flags of an instruction */
	IR_F_VOLATILE = 1,
	IR_F_ATOMIC   = 2,
	IR_F_MAYBE    = 4,	/* STORE: may not happen (the store of a compare-and-swap) */
	IR_F_NORETURN = 8,	/* CALL */
	IR_F_TWICE    = 16,	/* CALL: setjmp and its like */
	IR_F_IMPLICIT = 32,	/* made by the compiler: call of a cleanup function, byval copy, ... */
	IR_F_NSW      = 64,	/* BIN: of signed numbers; a result that does not fit is not defined */
	IR_F_ADDED    = 128,	/* plumb fix has added it to the source (prove/prove.c) */
};

struct ir_inst {
	uint8_t op, sub, flags;
	uint8_t cls;		/* of the result; see ops.def for LOAD, STORE, CMP */
	uint16_t bits;
	uint16_t from;		/* CAST: width of the operand */
	uint32_t res;		/* vreg, or IR_NONE */
	uint32_t block;
	uint32_t type;		/* FIELD: the struct or union, 0 if unknown */
	uint32_t member;	/* FIELD: index of the member, IR_NONE if unknown */
	int64_t imm;
	struct ir_pos pos;
	uint32_t nops, ntargets;
	ir_ref *ops;
	uint32_t *targets;	/* blocks */
};

struct ir_block {
	uint32_t first, n;	/* its instructions: insts[first .. first+n-1] */
	uint32_t nsucc, npred;
	uint32_t *succ;		/* no duplicates, in order of targets */
	uint32_t *pred;
};

enum {	/* flags of a slot */
	IR_S_TEMP    = 1,	/* no source variable */
	IR_S_DYNAMIC = 2,	/* alloca() or a variable-length array */
	IR_S_RETVAL  = 4,	/* where `return x;` puts x */
	IR_S_BYVAL   = 8,	/* a parameter of struct type; its memory is the caller's copy */
};

struct ir_slot {
	const char *name;	/* "" for a temporary */
	uint32_t type;
	uint64_t size;		/* bytes, 0 if dynamic */
	uint16_t flags;
	uint16_t param;		/* 1-based source parameter number, 0 if none */
	struct ir_pos pos;	/* declaration; col may be 0 */
};

struct ir_param {
	uint8_t cls;
	uint16_t bits;
	bool sret, byval;	/* pointer to the caller's result memory / copy */
};

/* ---- symbols -------------------------------------------------------- */

enum ir_linkage {
	IR_L_EXTERNAL, IR_L_STATIC, IR_L_WEAK, IR_L_COMMON,
	IR_L_DECL,		/* declared here, defined elsewhere */
	IR_L_DECL_WEAK,		/* the same, may stay undefined */
	IR_L__COUNT
};

struct ir_init {		/* one scalar of an initialiser; what is not listed is zero */
	uint64_t offset;
	uint16_t size;		/* bytes */
	ir_ref value;		/* INT, GLOBAL, FUNC, ADDR or IR_CONST */
};

enum {	/* flags of a global */
	IR_G_CONST   = 1,
	IR_G_TLS     = 2,
	IR_G_STRING  = 4,	/* a string literal */
	IR_G_PARTIAL = 8,	/* the initialiser has more integers than are listed */
	IR_G_LOCAL   = 16,	/* a `static` inside a function */
};

struct ir_global {
	const char *name;	/* the symbol; unique within a unit */
	const char *src;	/* as the source spells it; "" for literals */
	uint32_t type;
	uint64_t size;
	uint8_t linkage;
	uint16_t flags;
	uint32_t unit;
	uint32_t func;		/* IR_G_LOCAL: the function, else IR_NONE */
	struct ir_pos pos;
	const char *text;	/* string literal: its first 63 bytes, else NULL */
	uint32_t ninits;
	struct ir_init *inits;	/* by offset; every pointer is listed, integers up to a limit */
};

enum {	/* flags of a function */
	IR_FN_VARIADIC = 1,
	IR_FN_NORETURN = 2,
	IR_FN_TWICE    = 4,
	IR_FN_MALLOC   = 8,	/* __attribute__((malloc)): result aliases nothing */
	IR_FN_READONLY = 16,	/* pure or const: writes no memory */
	IR_FN_CTOR     = 32,	/* runs before main */
	IR_FN_DTOR     = 64,
	IR_FN_INLINE   = 128,
};

struct ir_func {
	const char *name;	/* the symbol */
	const char *src;	/* as the source spells it */
	uint32_t type;		/* IR_T_FUNC, or 0 */
	uint8_t linkage;
	uint16_t flags;
	uint32_t unit;
	struct ir_pos pos;
	uint8_t ret_cls;
	uint16_t ret_bits;
	uint32_t nparams;
	struct ir_param *params;	/* vregs 0 .. nparams-1 */

	/* the body; all zero in a declaration */
	uint32_t nslots, nblocks, ninsts, nvregs;
	struct ir_slot *slots;
	struct ir_block *blocks;	/* blocks[0] is the entry */
	struct ir_inst *insts;
	uint32_t *def;			/* vreg -> instruction; IR_NONE for a parameter */
};

struct ir_alias {
	const char *name;
	uint8_t linkage;
	uint32_t unit;
	ir_ref target;		/* GLOBAL, FUNC or ADDR; IR_CONST for an ifunc */
};

struct ir_unit {
	const char *path;	/* the source file, absolute if known */
	const char *dir;	/* where it was compiled */
	const char *flags;	/* how it was compiled (front/unit.h writes and reads it); "" if not known.
				 * Not in the text form: it says nothing of the program */
	uint64_t hash;		/* of the unit's serialised form; 0 before that */
};

struct ir_strings;		/* the interning table */
struct ir_lookup;		/* memo tables of build.c */

struct ir_module {
	struct arena arena;
	struct ir_strings *strings;
	struct ir_lookup *lookup;
	VEC(const char *) files;	/* paths, absolute where known */
	VEC(struct ir_type) types;	/* types.v[0] is IR_T_UNKNOWN */
	VEC(int64_t) ints;
	VEC(struct ir_addr) addrs;
	VEC(struct ir_global) globals;
	VEC(struct ir_func) funcs;
	VEC(struct ir_alias) aliases;
	VEC(struct ir_unit) units;
	VEC(const char *) models;	/* model text from attributes in the source */
};

/* ---- reading a module ----------------------------------------------- */

static inline bool ir_is_declared(unsigned linkage)	/* enum ir_linkage */
{
	return linkage == IR_L_DECL || linkage == IR_L_DECL_WEAK;
}

static inline bool ir_is_decl(const struct ir_func *f)
{
	return f->nblocks == 0;
}

static inline bool ir_is_term(const struct ir_inst *in)
{
	return in->op >= IR_BR;
}

static inline int64_t ir_int_value(const struct ir_module *m, ir_ref r)
{
	assert(IR_KIND(r) == IR_R_INT);
	return m->ints.v[IR_IDX(r)];
}

/* The instruction that defines a vreg operand, or NULL (parameter, no vreg). */
static inline struct ir_inst *ir_def(const struct ir_func *f, ir_ref r)
{
	if (IR_KIND(r) != IR_R_VREG || f->def[IR_IDX(r)] == IR_NONE)
		return NULL;
	return &f->insts[f->def[IR_IDX(r)]];
}

/* Class and width of a vreg. */
enum ir_class ir_vreg_class(const struct ir_func *f, uint32_t vreg, uint16_t *bits);

/* A comparison as one of EQ, SLT, SGT, ULT, UGT; *flip changes if it is the negation
 * of that. */
enum ir_pred ir_pred_base(enum ir_pred p, bool *flip);

/* Can control get from one instruction to another behind it, without entering the
 * block `avoid` on the way (IR_NONE: any way will do)? */
bool ir_comes_before(const struct ir_func *f, uint32_t from, uint32_t to, uint32_t avoid);

/* Can the result of a BIN be a pointer if operand k is one?  Offsets are added and
 * subtracted, low bits masked and set; a hash of an address is none, and neither
 * is the distance of two. */
bool ir_bin_carries(const struct ir_func *f, const struct ir_inst *in, uint32_t k);

/* The type with typedefs removed. */
uint32_t ir_type_strip(const struct ir_module *m, uint32_t type);
/* The member of a struct or union that starts at a byte offset (of several, the
 * first that is not empty), else the one that lies around it, or NULL. */
const struct ir_field *ir_field_at(const struct ir_module *m, uint32_t type, uint64_t offset);

/* A member by name, "a.b" for nested ones; 0 if unknown.  *type becomes its type. */
uint64_t ir_member_offset(const struct ir_module *m, uint32_t *type, const char *name);

/* The direct callee of a CALL, or NULL: sees through aliases (after link). */
struct ir_func *ir_callee(const struct ir_module *m, const struct ir_inst *call);

/* By name: an external definition first, then weak, declared, static; IR_NONE. */
uint32_t ir_find_func(const struct ir_module *m, const char *name);
uint32_t ir_find_global(const struct ir_module *m, const char *name);

/* Is it a whole program, with a main of its own? */
bool ir_is_program(const struct ir_module *m);

/* The functions all of whose calls are in sight: defined here, called by name only, and by nobody
 * outside.  Makes the set. */
struct bits;
void ir_called_by_name(const struct ir_module *m, struct bits *funcs);

/* What the initialiser of a global holds at an offset: IR_UNDEF if that is not a listed scalar. */
ir_ref ir_init_at(const struct ir_global *g, uint64_t offset);

/* Cases of a switch that follow each other in text and in value and go to the same place are one
 * way out, by the first of them: the values of all.  False if case t, from 1, is not the first. */
bool ir_case_range(const struct ir_module *m, const struct ir_inst *in, uint32_t t, int64_t *lo, int64_t *hi);

extern const struct ir_opinfo {
	const char *name;
	int nops;
	bool has_res, is_term;
} ir_opinfo[IR__OPS];

#endif
