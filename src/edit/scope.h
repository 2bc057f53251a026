/*
 * scope.h - which files may be changed in place?
 *
 * A database or a program names sources wherever it likes, and a link in a checkout may lead anywhere.
 * Changed are only files that really lie in the project in which the user stands, or in one of which the user
 * has named a file or folder: below its top folder (the one with .git), or below the folder itself if there
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
