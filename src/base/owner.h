/*
 * owner.h - whose is a file, and who else can write to it?
 *
 * "Me" is the effective user; for root under sudo also the user who called sudo, as in git.
 */
#ifndef BASE_OWNER_H
#define BASE_OWNER_H

#include <stdbool.h>
#include <sys/stat.h>

bool owner_is_me(const struct stat *st);

/* Can somebody write there who is neither its owner nor root?  A group without other members does not
 * matter. */
bool owner_lets_others_write(const struct stat *st);

/* "alice (uid 1000)"; valid until the next call. */
const char *owner_name(uid_t uid);

/* Is the folder (a path without links) mine, and can nobody else write to it?  Negative: no, and
 * error_last() says why. */
int owner_check_folder(const char *path);
/* The same of the folders above: can nobody put another folder in its place? */
int owner_check_above(const char *path);

#endif
