/*
 * identity.h - the identity of programs and libraries: their build-id.
 *
 * A build-id is a lower-case string of hexadecimal digits.  A file that has none
 * gets "74657874" ("text") and a hash of its code (FNV-1a, 64 bits, over the
 * file's bytes of its first executable segment): the same rule is in
 * valgrind/pl_module.c and runtime/cyclic.c, which read the loaded image.
 */
#ifndef RUN_IDENTITY_H
#define RUN_IDENTITY_H

#include <stddef.h>

struct filemap;

/* The hexadecimal text of n bytes; the caller's, for free(). */
char *identity_hex(const unsigned char *id, size_t n);

/* The build-id of an ELF file.  Negative: it cannot be read or is none. */
int identity_of_file(char **build_id, const char *path);

/* The file that execvp would take for a name, absolute; the caller's, for free(), NULL
 * if there is none. */
char *identity_find(const char *name);

/* The interpreter that the first line of a script names; the caller's, for free(), NULL
 * if the file is no script. */
char *identity_interpreter(const struct filemap *f);

/* What a command starts: name is looked up in PATH if it has no slash.  *path is
 * absolute; *build_id is that of the program, or of the interpreter if the file
 * is a script, "" if it is neither.  Both are the caller's, for free().
 * Negative: there is no such program. */
int identity_of_command(char **path, char **build_id, const char *name);

#endif
