/*
 * text.h - the text form, as print.c makes it and parse.c reads it.
 *
 *	plumb-ir text 1
 *	unit 0 "a.c" dir "."
 *	file f0 "a.c"
 *	model "int_free: frees 0"
 *
 *	type t1 = int "char" size 1 char
 *	type t2 = ptr t1 size 8				; char *
 *	type t3 = struct "node" size 16 {
 *		+0 name: t2				; char *
 *		+8 flag: t4 bits 3:1
 *	}
 *
 *	global @table: t5 size 16 static const @f0:3:12 {
 *		+0 8 = @f
 *		+8 8 = @g+4
 *	}
 *	alias @old = @new external
 *
 *	func @load(ptr, i32) ptr: t7 external @f0:12:7 {	; struct node *load(char *, int)
 *		slot $0 name: t2 size 8 param 1 @12:30	; char *
 *		slot $1: t0 size 8 temp retval @?
 *	b0:
 *		%2 = load ptr $0.name @13:9
 *		%3 = field %2, +8 (t3.1) @13:15		; struct node.flag
 *		condbr %5, b1, b2 @13:6
 *	b1:						; from b0
 *		...
 *	}
 *	func @malloc(i64) ptr extern malloc
 *
 * A comment runs from ";" to the end of the line and is skipped, so that all it
 * says follows from the rest.  Names of anything but letters, digits, "_", "."
 * and "$" are quoted with the escapes of C.  In a linked module a symbol is
 * "@name#unit" where it is made, and where it is used if the bare name is not
 * the only one.  A position names its file where that changes.  Paths below the
 * current directory are printed, and read, as seen from there; a path that is
 * relative in the module itself has the word "relative" before it.
 */
#ifndef IR_TEXT_H
#define IR_TEXT_H

#include "ir/ir.h"

#define TEXT_HEAD "plumb-ir text 1"

/* A flag and its word; a table of them ends with a NULL. */
struct word {
	const char *name;
	unsigned bit;
};

extern const struct word text_type_flags[], text_inst_flags[], text_slot_flags[], text_global_flags[],
	text_func_flags[];
extern const char *const text_kinds[IR_T__COUNT], *const text_linkages[IR_L__COUNT];
extern const char *const text_bins[IR_B__COUNT], *const text_preds[IR_P__COUNT],
	*const text_casts[IR_CAST__COUNT];
/* Of a class before its width; an integer of 32 bits is "i32". */
extern const char *const text_classes[IR_C__COUNT];

static inline bool text_is_name_start(char c)
{
	bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

	return is_letter || c == '_' || c == '.';
}

static inline bool text_is_name_char(char c)
{
	return text_is_name_start(c) || (c >= '0' && c <= '9') || c == '$';
}

/* The width that a class has if none is written. */
static inline unsigned text_default_width(unsigned cls)
{
	return cls == IR_C_PTR ? 64 : 0;
}

/* Does the opcode's text leave out the class "ptr"? */
static inline bool text_is_address(unsigned op)
{
	return op == IR_ALLOCA || op == IR_FIELD || op == IR_ELEM || op == IR_INDEX;
}

#endif
