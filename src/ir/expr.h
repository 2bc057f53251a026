/*
 * expr.h - the parts of expr.c that stand on their own.
 */
#ifndef IR_EXPR_H
#define IR_EXPR_H

#include "ir/ir.h"

struct sbuf;

/* ---- exprtype.c ------------------------------------------------------ */

/* The source type of the object at an address, of a value; typedefs removed, 0 if
 * unknown.  They look through a bounded number of instructions. */
uint32_t expr_object_type(const struct ir_module *m, const struct ir_func *f, ir_ref addr);
uint32_t expr_value_type(const struct ir_module *m, const struct ir_func *f, ir_ref r);

/* r without casts and copies. */
ir_ref expr_uncast(const struct ir_func *f, ir_ref r);

/* The struct or union that a FIELD takes a part of: named by it, else that of its
 * base; 0 if unknown. */
uint32_t expr_field_struct(const struct ir_module *m, const struct ir_func *f, const struct ir_inst *in);

/* If BIN instructions pick a bit field out of its storage unit: the member, and
 * in *field the FIELD that leads to the unit; else NULL. */
const struct ir_field *expr_bit_field(const struct ir_module *m, const struct ir_func *f,
				      const struct ir_inst *in, const struct ir_inst **field);
/* The bit field that is stored to through a FIELD: the unit is read, some of its
 * bits are replaced, and it is written again; else NULL. */
const struct ir_field *expr_stored_bits(const struct ir_module *m, const struct ir_func *f,
					const struct ir_inst *field);

/* ---- expr.c ---------------------------------------------------------- */

/* Is it what stands behind the macro errno in the C libraries? */
bool expr_is_errno(const struct ir_module *m, const struct ir_func *f, ir_ref pointer);

/* ---- exprtext.c ------------------------------------------------------ */

/* A character type? */
bool expr_is_char(const struct ir_module *m, uint32_t type);
/* Appends a number as a character; false if it is no constant or has no common name. */
bool expr_character(struct sbuf *out, const struct ir_module *m, ir_ref r);
/* Appends a string literal; false if it was cut short. */
bool expr_literal(struct sbuf *out, const struct ir_global *g);
/* Appends where in an object of *type an offset lies: ".name", "[3]"; false if that is within
 * no member.  *type becomes the type there. */
bool expr_path(struct sbuf *out, const struct ir_module *m, uint32_t *type, uint64_t offset);

/* ---- exprphi.c ------------------------------------------------------- */

/* A PHI of truth values as && and || over the conditions of branches. */
enum bool_op { BOOL_LEAF, BOOL_AND, BOOL_OR };

struct bool_node {
	enum bool_op op;
	ir_ref leaf;
	bool negated;		/* of the leaf */
	int a, b;		/* operands of && and || */
};

struct bool_tree {
	struct bool_node node[64];
	int n;
};

/* The number of the root, or -1 if the PHI is something else. */
int expr_bool_phi(struct bool_tree *t, const struct ir_module *m, const struct ir_func *f,
		  const struct ir_inst *phi);

#endif
