/*
 * fds.h - descriptors of our own in somebody else's process.
 */
#ifndef RUNTIME_FDS_H
#define RUNTIME_FDS_H

#include "base.h"

#include <sys/types.h>

/* A descriptor that we keep.  The program may close it behind our back. */
struct held {
	_Atomic int fd;		/* -1: none */
	dev_t dev;
	ino_t ino;
};

extern struct held fds_memfd, fds_pagemap, fds_uffd, fds_folder;

/* Is it there, and still what it was? */
bool held_valid(const struct held *h);
/* Takes a new descriptor (or -1) to where programs do not look; false: there is none. */
bool held_take(struct held *h, int fd);
void held_release(struct held *h);

/* Is this descriptor ours?  The program must not close it. */
bool fds_owns(int fd);
/* The lowest of ours in [first, last], or last + 1 (or ~0u). */
unsigned fds_first_owned(unsigned first, unsigned last);
/* The program takes this number for itself: ours moves away. */
void fds_move(int fd);

#endif
