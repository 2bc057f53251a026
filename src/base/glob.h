/*
 * glob.h - patterns of file names: '*' stands for any characters of one name, '**' for any of several
 * names with their slashes, '?' for one character.
 */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>

/* Does the path, or a folder in which it lies, fit the pattern?  "a/x" fits "a", "a/", "a/" followed by two
 * asterisks and, as "x" does, two asterisks followed by "/x"; it fits neither "x" nor "?". */
bool glob_fits(const char *pattern, const char *path);

#endif
