/*
 * lean.h - a unit without those parts of its headers that it does not need.
 */
#ifndef FRONT_LEAN_H
#define FRONT_LEAN_H

#include "front/unit.h"

struct sbuf;

struct lean {
	struct unit unit;		/* to be compiled: with the prelude, without other forced includes */
	char *source, *prelude;		/* paths; no file is at the second one */
	char *text;			/* of the prelude */
	size_t ntext;
	size_t nhead;			/* bytes before the source's first declaration, with its includes */
	uint64_t head;			/* a digest of these */
};

/* Makes the record from which lean_new() makes a lean unit.  words: identifiers that are wanted besides
 * those of the source.  Negative: the unit has no prelude.  For a worker process. */
int lean_record(struct sbuf *out, const struct unit *u, const char *words, const char *clang);
struct lean *lean_new(const struct unit *u, const char *record, size_t n);
void lean_free(struct lean *l);

/* Is the beginning of the source, if one of these texts is the source, as it was when the record was made? */
bool lean_fits(const struct lean *l, const struct unit_text *v, uint32_t n);

/* The texts for the compilation of l->unit: the source without its includes, as in one of these texts, else
 * as on the disk; and the prelude.  LEAN_TEXTS of them, for lean_texts_free(). */
enum { LEAN_TEXTS = 2 };
struct unit_text *lean_texts(const struct lean *l, const struct unit_text *v, uint32_t n);
void lean_texts_free(struct unit_text *v);

/* ---- for tests ---- */

/* Adds the prelude of a source to out: the declarations of the text that clang -E -dD made of the source,
 * as far as they are wanted.  *begin: the line, from 1, of the source's first declaration.  The source's
 * path is not used. */
int lean_prelude(struct sbuf *out, uint32_t *begin, const struct sbuf *preprocessed,
		 const struct unit_text *source, const char *words);

#endif
