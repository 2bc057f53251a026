/*
 * scope.h - which files may be changed in place?
 *
 * A database or a program may name any file as a source, and a link in a checkout may lead anywhere.  Only
 * files are changed that really lie in the project of the current folder, or in a project of which the user
 * has named a file or a folder: below its top folder (the one with .git), or below the folder itself if there
 * is no such top.
 */
#ifndef EDIT_SCOPE_H
#define EDIT_SCOPE_H

#include "base/vec.h"

#include <stdbool.h>

struct front_options;

struct scope {
	VEC(char *) tops;	/* real paths */
};

void scope_init(struct scope *s, const struct front_options *o);
void scope_release(struct scope *s);
bool scope_has(const struct scope *s, const char *path);

#endif
