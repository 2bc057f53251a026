/*
 * lean.h - a unit without what it does not need of its headers.
 */
#ifndef FRONT_LEAN_H
#define FRONT_LEAN_H

#include "front/unit.h"

struct sbuf;

struct lean {
	struct unit unit;		/* as it is compiled then: with the prelude, without other forced includes */
	char *source, *prelude;		/* absolute paths; there is no file at the second one */
	char *text;			/* of the prelude */
	size_t ntext;
	size_t nhead;			/* the source up to its first declaration, whose includes are in the prelude */
	uint64_t head;			/* a digest of it */
};

/* Makes the prelude of a unit: what lean_new() wants.  words: identifiers that are wanted besides those of the source.
 * Negative: there is none.  For a worker process. */
int lean_record(struct sbuf *out, const struct unit *u, const char *words, const char *clang);
struct lean *lean_new(const struct unit *u, const char *record, size_t n);
void lean_free(struct lean *l);

/* Does the source begin as it did, if one of these texts is the source? */
bool lean_fits(const struct lean *l, const struct unit_text *v, uint32_t n);

/* The texts that its compilation sees: the source as it is in one of these, else as it is on the disk, without its includes,
 * and the prelude: LEAN_TEXTS of them, for lean_texts_free(). */
enum { LEAN_TEXTS = 2 };
struct unit_text *lean_texts(const struct lean *l, const struct unit_text *v, uint32_t n);
void lean_texts_free(struct unit_text *v);

/* ---- for tests ---- */

/* A prelude of a text that clang -E -dD made, for the source, and the line, from 1, where that begins to declare something. */
int lean_prelude(struct sbuf *out, uint32_t *begin, const char *preprocessed, size_t n, const char *source, size_t nsource, const char *words);

#endif
