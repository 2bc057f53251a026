/*
 * loader.h - can the loader of a program take our library?
 *
 * Reads an ELF file's program headers: the one answer for `plumb watch` and `plumb run`
 * (cli/launch.c), which look at the program before they start it, and for exec.c, which looks
 * at those that it executes.  So it allocates nothing and calls nothing but pread().
 */
#ifndef RUNTIME_LOADER_H
#define RUNTIME_LOADER_H

#include <stddef.h>

#define LOADER_HEAD 256	/* bytes of the beginning of a file that are read first */

/* What is in the way in the program that fd has open, to come after its name; NULL: nothing
 * that is known.  head: the first n bytes of the file. */
const char *loader_obstacle(int fd, const char *head, size_t n);

#endif
