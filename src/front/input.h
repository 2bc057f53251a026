/*
 * input.h - what the user named, as a list of things to read.
 */
#ifndef FRONT_INPUT_H
#define FRONT_INPUT_H

#include "front/front.h"
#include "front/unit.h"

enum item_kind {
	ITEM_SOURCE,		/* compile `unit` */
	ITEM_BITCODE,		/* lower bytes at..at+n of path (.bc, .ll) */
	ITEM_TEXT,		/* parse path as the text of the IR */
	ITEM_DONE,		/* a record, already read; or an error */
};

struct item {
	enum item_kind kind;
	char *file;		/* for messages */
	struct unit unit;	/* SOURCE */
	char *path;		/* BITCODE, TEXT */
	size_t at, n;			/* BITCODE: where in the file; TEXT: 0 */
	uint32_t scope;			/* of the libraries that are linked dynamically: struct ir_scopes */
	struct ir_module *module;	/* when done */
	char *error;			/* or why not; one line */
	bool cached;
	bool is_program;	/* from a linked file, which says what it exports */
};

VEC_TYPE(items, struct item);

/* Turns inputs and compilation database into items.  A bad input is an item with
 * an error; not_c gets what is of another language, needed the programs and libraries, and
 * the libraries that these need.  With front_options.whole files that the user asks about
 * are added to asked.  Negative: there is nothing to try. */
struct asked;
struct needed;
int items_collect(struct items *items, struct args *not_c, struct asked *asked, struct needed *needed,
		  const struct front_options *o);
void items_release(struct items *items);
/* The invariants: an item has what its kind says; what is done has a module or an error, and not both. */
void items_check(const struct items *items);

/* Sets the item's error (to error_last() if text is NULL), in one line and
 * without the file's name, which is printed before it anyway. */
void item_fail(struct item *it, const char *text);

#endif
