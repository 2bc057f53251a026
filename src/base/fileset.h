/*
 * fileset.h - files and folders that somebody named, to be found again under other names.
 */
#ifndef BASE_FILESET_H
#define BASE_FILESET_H

#include "base/vec.h"

struct fileset_entry {
	char *path;		/* absolute, in normal form */
	char *real;		/* the same without symbolic links; NULL if it is not there */
	bool is_folder;		/* stands for all that lies below it */
};

/* A zeroed struct is the empty set. */
struct fileset {
	VEC(struct fileset_entry) v;
};

void fileset_add(struct fileset *s, const char *path);
void fileset_release(struct fileset *s);

/* Does this path, absolute and in normal form, mean the entry or something in it? */
bool fileset_entry_has(const struct fileset_entry *e, const char *path);
bool fileset_has(const struct fileset *s, const char *path);

#endif
