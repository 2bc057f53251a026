/*
 * code.h - the binary form, as write.c makes it and read.c takes it apart.
 *
 * A record is a header of 32 bytes, little-endian
 *
 *	magic "plumb-ir", u32 version, u32 zero, u64 length of the body,
 *	u64 hash_bytes() of the body
 *
 * then the body, then zero bytes up to a multiple of 8.  All numbers in the body
 * are LEB128 varints, signed ones zigzag-coded first.  What repeats is in a
 * table, ordered by how often it is used, so that most indices take one byte;
 * nothing is in a table that is not used.  The sections, each table preceded by
 * its length:
 *
 *	strings   those used more than once, then those used once; see strcode.c.
 *	          A string is named by its number + 1 among the former; 0 is the
 *	          next one of the latter, which lie in the order of their use
 *	files, units, models
 *	types     without number 0, which is always "unknown"
 *	ints, number of globals, number of functions, addrs
 *	fields    what FIELD instructions name: (type, member, offset)
 *	shapes    see below
 *	globals, functions, aliases
 *	bodies    of the functions that have one
 *
 * Instructions.  Of a million instructions nearly all have one of a few hundred
 * shapes: opcode, width, flags, the kinds of their operands and how far they are
 * from the instruction before in the source.  An instruction is the number of
 * its shape (one byte for the most frequent) and what the shape leaves open: slot
 * and symbol numbers, distances of vregs, target blocks, line and column.  A rare
 * shape stands in front of its instruction instead of in the table.
 *
 * Not stored, because it follows: the results (the next vreg, see verify.c),
 * block boundaries (a block ends with its terminator), the blocks a PHI comes
 * from (the predecessors in order).
 */
#ifndef IR_CODE_H
#define IR_CODE_H

#include "ir/ir.h"

#include "base/hash.h"

#define IR_MAGIC "plumb-ir"

enum {
	HEADER_SIZE = 32,
	SHAPE_BYTE = 192,	/* shapes below this take one byte */
	SHAPE_MAX = SHAPE_BYTE + 63 * 256,	/* the rest of the table two */
	SHAPE_INLINE = 255,	/* this byte: the shape itself follows */
	SHAPE_OPS = 16,		/* operands whose kinds fit into a shape */
	SHAPE_LONG = 17,	/* nops: number and kinds stand with the operands */
};

/* How an operand is coded; all but the first group without further bytes. */
enum opk {
	OPK_VREG,		/* distance back from the next result */
	OPK_FWD,		/* distance forward: in PHIs */
	OPK_SLOT, OPK_GLOBAL, OPK_FUNC, OPK_INT, OPK_ADDR,	/* number */
	OPK_PREV, OPK_PREV2,	/* the last result, the one before */
	OPK_GNEXT, OPK_FNEXT,	/* the first symbol not yet named by an operand */
	OPK_NULL, OPK_UNDEF, OPK_CONST,
	OPK__COUNT
};

/* Where an instruction stands, against the one before it. */
enum posk {
	POSK_SAME,
	POSK_COL,		/* same line; the column follows */
	POSK_LINE,		/* line difference and column follow */
	POSK_FULL,		/* file + 1, line, column; or 0 for none */
};

struct shape {
	uint8_t op, sub, flags, cls;
	uint16_t bits, from;
	uint64_t kinds;		/* 4 bits for each operand */
	uint8_t nops, pos;
};

/* Of a slot's declaration. */
enum slotk {
	SLOTK_NONE,		/* no position */
	SLOTK_LINE,		/* line difference; column 0 */
	SLOTK_COL,		/* line difference, column */
	SLOTK_FULL,
};

/* The head of a type: kind, and what follows. */
enum {
	TYPE_NAME = 16, TYPE_FLAGS = 32, TYPE_SIZE = 64,
	TYPE_FIELDS = 128,	/* of an enumeration: number and first of its values */
};
#define PTR_SIZE 8		/* a pointer type's size, if TYPE_SIZE does not tell */

/* The head of a slot: its flags in the low 4 bits. */
enum {
	SLOT_SIZE = 16,		/* the size follows; else it is the type's */
	SLOT_PARAM = 32,
	SLOT_POS_SHIFT = 6,
};

/* The head of a global: linkage in the low 3 bits, flags in the high ones. */
enum {
	GLOBAL_SRC = 8,		/* src differs from name and follows */
	GLOBAL_SIZE = 16,
	GLOBAL_TEXT = 32,
	GLOBAL_INITS = 64,
	GLOBAL_NUMBERED = 128,	/* the name ends in "." and a number, which follows */
	GLOBAL_POS = 256,	/* a position follows: line difference, column, same file */
	GLOBAL_FULL = 512,	/* the same with the file */
	GLOBAL_FLAGS_SHIFT = 10,
};

/* The head of a function: the same. */
enum {
	FUNC_SRC = 8,
	FUNC_BODY = 16,
	FUNC_POS = 32,
	FUNC_FULL = 64,
	FUNC_FLAGS_SHIFT = 7,
};

/* An initialiser: operand kind in the low 4 bits. */
enum {
	INIT_GAP = 16,		/* does not start where the one before ended: the gap follows */
	INIT_SIZE_SHIFT = 5,	/* width code of 8 * size, INIT_SIZE_OTHER: follows */
};

/* A class and its width in bits share a byte: 3 bits for each. */
static const uint16_t code_widths[7] = { 0, 1, 8, 16, 32, 64, 128 };
enum { WIDTH_OTHER = 7 };

static inline unsigned code_width(unsigned bits)
{
	unsigned i = 0;

	while (i < WIDTH_OTHER && code_widths[i] != bits)
		i++;
	return i;
}

static inline uint64_t zigzag(int64_t x)
{
	return (uint64_t)x << 1 ^ (uint64_t)(x >> 63);
}

static inline int64_t unzigzag(uint64_t x)
{
	return (int64_t)(x >> 1 ^ -(x & 1));
}

/* Which fields of struct ir_inst an opcode has besides operands and targets. */
static inline bool op_has_sub(unsigned op)
{
	return op == IR_CAST || op == IR_BIN || op == IR_CMP;
}

static inline bool op_has_imm(unsigned op)
{
	return op == IR_ALLOCA || op == IR_ELEM || op == IR_INDEX || op == IR_EXTRACT;
}

static inline bool type_has_elem(unsigned kind)
{
	return kind == IR_T_PTR || kind == IR_T_ARRAY || kind == IR_T_TYPEDEF ||
	       kind == IR_T_FUNC || kind == IR_T_ENUM;
}

/* Number of targets of a terminator, or -1 if it is stored. */
static inline int op_targets(unsigned op, uint32_t nops)
{
	switch (op) {
	case IR_BR:
		return 1;
	case IR_CONDBR:
		return 2;
	case IR_SWITCH:
		return (int)nops;
	case IR_GOTO:
		return -1;
	default:
		return 0;
	}
}

#endif
