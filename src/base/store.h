/*
 * store.h - results of earlier runs, in one file.
 *
 * A store is a list of entries: a key and bytes that only their writer
 * understands.  Several entries may have one key; the caller finds out which of
 * them still holds.  The next run finds the entries that this run has used or
 * added: the others belong to code that has changed.
 *
 * One file for all of a program, and not one for each function: with a thousand
 * functions opening files would take longer than all else.  The file is read whole,
 * checked by its sum, and written whole when anything was added.
 */
#ifndef BASE_STORE_H
#define BASE_STORE_H

#include "base/sbuf.h"

#include <stdbool.h>
#include <stdint.h>

struct store;

struct store_entry {
	uint64_t key;
	const char *p;
	size_t n;
	uint32_t next;		/* of the same key, + 1; 0: none */
	bool used;
};

struct store *store_new(void);
void store_free(struct store *s);

/* Adds the entries of a file's bytes, which must outlive the store.  Negative after
 * error_set(): damaged, or of another version; there are no entries then. */
int store_parse(struct store *s, const char *p, size_t n);

/* The first entry of this key, or the next one; NULL.  Entries do not move, and threads may
 * look for them while nobody adds any. */
struct store_entry *store_find(struct store *s, uint64_t key);
struct store_entry *store_next(struct store *s, const struct store_entry *e);

/* Adds an entry, which is `used`, with a copy of the bytes; gives the copy. */
const char *store_add(struct store *s, uint64_t key, const void *p, size_t n);

/* Is there anything to write?  Then this is the text of the file, with all that was used. */
bool store_has_new(const struct store *s);
void store_print(const struct store *s, struct sbuf *out);

void store_check(const struct store *s);	/* asserts all invariants */

#endif
