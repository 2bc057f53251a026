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

/* Can somebody else than its owner and root write there?  A group of which nobody else is a member
 * does not count. */
bool owner_lets_others_write(const struct stat *st);

/* "alice (uid 1000)"; valid until the next call. */
const char *owner_name(uid_t uid);

/* Is the folder (a path without links) mine alone: nobody else owns it or can write to it?  Negative: no, error_last()
 * says why. */
int owner_check_folder(const char *path);
/* Nor can anybody put another one in its place? */
int owner_check_above(const char *path);

#endif
