/*
 * elf.h - the section .plumb of objects, libraries and programs; archives.
 */
#ifndef FRONT_ELF_H
#define FRONT_ELF_H

#include <stdbool.h>
#include <stddef.h>

struct sbuf;

bool elf_is_elf(const void *p, size_t n);
bool elf_is_archive(const void *p, size_t n);

/* What a loader would make of a file. */
struct elf_program {
	bool is64;
	unsigned machine;	/* EM_X86_64 */
	bool runs;		/* a program or a library, no object file */
	bool dynamic;		/* it names a dynamic linker */
	bool fixed;		/* a program for sure: it can lie at one place only */
	bool sanitized;		/* built with a sanitizer that replaces malloc */
};

int elf_program(struct elf_program *out, const void *file, size_t size);

/* Finds the section's bytes in a mapped ELF file (bounds-checked, any word size
 * and byte order we can meet).  0: *p, *n; negative: not ELF, damaged, or no
 * .plumb (the message says which and what to do, without the file's name). */
int elf_plumb_section(const void **p, size_t *n, const void *file, size_t size);

bool elf_has_plumb(const void *file, size_t size);

/* What reads one name of a file; the name lives as long as the file's bytes. */
typedef void elf_name_fn(void *ctx, const char *name);

/* What the dynamic linker is to look for: `needs` gets each name; rpath and runpath point into the file, or
 * are NULL.  Damage ends the list. */
struct elf_dynamic {
	const char *rpath, *runpath;
};
void elf_dynamic(struct elf_dynamic *out, const void *file, size_t size, elf_name_fn *needs, void *ctx);
/* The names that a program or library defines for others. */
void elf_exports(const void *file, size_t size, elf_name_fn *each, void *ctx);
/* The functions in it, as far as it is not stripped: without those that are local to one source file. */
void elf_functions(const void *file, size_t size, elf_name_fn *each, void *ctx);
/* The name of the source that an object file was compiled from; NULL: it has none, as objects of assemblers
 * do. */
const char *elf_source(const void *file, size_t size);

/* Appends record bytes to the file's .plumb section, which is made if there is none.
 * Existing bytes stay where they are; the section is not loaded at run time.
 * Atomic (temporary + rename); the permissions stay. */
int elf_plumb_add(const char *path, const void *rec, size_t n);

/* The same in memory: the new file is added to out. */
int elf_append(struct sbuf *out, const void *file, size_t size, const void *rec, size_t n);

/*
 * Walks through the members of an archive:
 *
 *	struct archive a;
 *	archive_open(&a, p, n);
 *	while ((ret = archive_next(&a)) > 0)
 *		use(a.name, a.data, a.size);
 *	archive_close(&a);
 *
 * Symbol tables and name tables are passed over.  In a thin archive data is NULL
 * and name is a path, relative to the archive's folder.
 */
struct archive {
	const char *name;	/* of the current member, NUL-terminated */
	const void *data;
	size_t size;

	/* private */
	const char *p;
	size_t n, at;
	bool thin;
	const char *names;	/* the table of long names */
	size_t nnames;
	char *own;		/* owns name */
};

int archive_open(struct archive *a, const void *p, size_t n);
int archive_next(struct archive *a);	/* 1, 0 at the end, negative if damaged */
void archive_close(struct archive *a);

#endif
