/*
 * file.h - files, read and written whole, and paths.
 *
 * All ints return negative after error_set()/error_sys() that names the path.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A file's bytes, mapped read-only; an empty file has n == 0 and p == "".
 *
 * Only regular files are read, and those of /proc are empty: most names come out of programs, reports and
 * databases.  x_named() is for a name that the user has given: pipes and devices are read, too,
 * where the name says that one is meant (/dev/stdin, /proc/self/fd/3). */
struct filemap {
	const char *p;
	size_t n;
};

int filemap_open(struct filemap *m, const char *path);
int filemap_open_named(struct filemap *m, const char *path);
void filemap_close(struct filemap *m);

/* The whole file plus a NUL; *out is the caller's, for free(). */
int file_read(char **out, size_t *n, const char *path);
int file_read_named(char **out, size_t *n, const char *path);

/* An output that appears whole or not at all: written beside the target as a
 * temporary file, renamed by fileout_commit().  fileout_abort() (or exit) leaves the old
 * target as it was.  Path "-" is standard output.  A target that exists and is
 * no regular file (a device, a pipe) is written to directly.  A symbolic link is
 * followed if its target is in the folder of the link or below. */
struct fileout {
	FILE *f;
	char *path, *tmp;
};

int fileout_open(struct fileout *o, const char *path);
int fileout_commit(struct fileout *o);
void fileout_abort(struct fileout *o);		/* harmless after commit */
int file_write(const char *path, const void *p, size_t n);	/* all of the above */

/* write() until all is written, through EINTR.  Negative: errno says why, and no
 * message is set, since messages are written with it. */
int fd_write_all(int fd, const void *p, size_t n);

int make_dirs(const char *path);		/* mkdir -p */
bool file_exists(const char *path);
/* A new folder, whose name begins with PARENT/PREFIX, for free().  NULL after error_sys(). */
char *file_temp_dir(const char *parent, const char *prefix);
/* Removes the files of a folder, and the folder unless there are folders in it. */
void file_remove_dir(const char *path);
bool is_dir(const char *path);

/* All results are the caller's, for free(). */
char *path_join(const char *dir, const char *rel);	/* rel alone if it is absolute */
char *path_dir(const char *path);			/* "." if there is no slash; "a" for "a/" */
bool path_up(char **dir);				/* one folder up; false: none, or not known (".") */
const char *path_base(const char *path);		/* points into path; "" for "a/" */
const char *path_ext(const char *path);			/* ".c", "" if none; into path */
char *path_normal(const char *path);			/* no "//", "/./", "x/.." ; no disk access */
char *path_from(const char *dir, const char *rel);	/* the join, in normal form */
char *path_absolute(const char *path);			/* against the current directory, normal */
/* path as seen from dir, if it lies below dir; else a copy of path. */
char *path_relative(const char *path, const char *dir);
char *path_exe_dir(void);				/* folder of the running executable */

#endif
