/*
 * glob.h - patterns of file names: '*' any characters of one name, '**' of several, too, '?' one character.
 */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>

/* Does the path, or a folder in which it lies, fit the pattern?  "a/x" fits neither "x" nor "?" but "a", "a/", "a/" followed
 * by two asterisks, and (as x does) two asterisks followed by "/x". */
bool glob_fits(const char *pattern, const char *path);

#endif
