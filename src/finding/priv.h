/*
 * priv.h - what the files of src/finding/ share with each other only.
 */
#ifndef FINDING_PRIV_H
#define FINDING_PRIV_H

#include "base/sbuf.h"
#include "finding/finding.h"
#include "finding/source.h"

/* Replaces what is NULL by "" and gives alloc and leak a place if anything in
 * the finding has one. */
void finding__normalise(struct finding *f);

/* An order by all but the allocation and the kind: leak place, variable, path, condition and so on.
 * Files are compared by their names in the project: the order is the same wherever the project lies. */
int finding__cmp_story(struct findings *fs, const struct finding *a, const struct finding *b);

/* Sets suppressed and suppress_reason of all findings by the comments in the
 * sources; a finding of the baseline stays suppressed. */
void finding__suppress(struct findings *fs);

void exclusion_free(struct exclusion *x);

/* Is s an id: 16 hex digits, lower case? */
bool finding__is_id(const char *s);

/*
 * C text in its parts, as far as comments go.  Strings and character constants
 * are skipped; one that is not closed ends with its line, as after the
 * apostrophe of `#error don't`.  Trigraphs and backslashes in odd places
 * (between the two slashes of a comment) are not understood.
 */
enum lex_part { LEX_END, LEX_CODE, LEX_LITERAL, LEX_SPACE, LEX_NEWLINE, LEX_COMMENT };

/* The part that begins at p (p < end) ends at *next: a run of code or white
 * space without line end, a literal, one line end or one whole comment, which
 * may have several lines.  A line comment does not include its line end. */
enum lex_part finding__lex(const char *p, const char *end, const char **next);

#endif
