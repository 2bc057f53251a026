/*
 * needed.h - the shared libraries that programs are run with.
 */
#ifndef FRONT_NEEDED_H
#define FRONT_NEEDED_H

#include "ir/io.h"

/* A program or library of those that are loaded together. */
struct needed_object {
	char *name;		/* as it was asked for */
	char *path;		/* where it is; NULL: not found */
	char *hint;		/* another file of that name: the only one, if the search finds none; the one
				 * with IR, if the search finds the system's; or NULL */
	char *rpath, *runpath;	/* the search paths for what it needs; or NULL */
	uint32_t loader;	/* the object that needs it; IR_NONE: the user named it */
	uint32_t scope;		/* struct ir_scopes: 0 for programs */
	bool own;		/* not one of the system's libraries */
	bool has_ir;
	struct ir_exports exports, functions;	/* sorted; functions: all that are in it, if it has IR */
};

/* A zeroed struct is the empty list. */
struct needed {
	VEC(struct needed_object) v;	/* in the order in which they are loaded */
	VEC(struct needed_name) todo;
	uint32_t scopes;
};

struct needed_name {
	char *name;
	uint32_t loader;
};

/* A program or library that the user named: its bytes are in memory.  Other ELF files are passed over.
 * Returns its scope. */
uint32_t needed_add(struct needed *n, const char *path, const void *file, size_t size);
/* The next library that the objects of the list need: it is found as the dynamic linker finds it, or not
 * found.  Returns its number, IR_NONE at the end; each library is returned once, breadth first. */
uint32_t needed_next(struct needed *n);
void needed_release(struct needed *n);

#endif
