/*
 * text.h - comparisons of texts with literals, as strcmp() and its kin do them.
 *
 * A text that equals one literal does not equal another: of `strcasecmp(s, "time") == 0`
 * and `strcasecmp(s, "echo") == 0` one holds at most.  A literal is known by a number,
 * which also says how it is compared: whole or its first characters only, and whether
 * case counts.  Numbers of one kind say the same of a text exactly if they are equal;
 * of different kinds nothing is concluded.
 */
#ifndef SYM_TEXT_H
#define SYM_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { TEXT_MAX = 60 };			/* longer literals are not compared */

struct text_way {
	bool folds;			/* case does not count */
	uint32_t first;			/* so many characters count, at most TEXT_MAX; 0: all */
};

/* Does the function compare the texts of its first two arguments, and is known how?  count: its third
 * argument, if that is known, else -1.  (strcoll() does not: it may call different texts equal.) */
bool text_compares(const char *callee, uint32_t nargs, int64_t count, struct text_way *way);

/* The number of a literal, never 0, and how a number's text is compared. */
uint64_t text_number(const char *literal, struct text_way way);
struct text_way text_way_of(uint64_t number);
static inline uint64_t text_kind(uint64_t number)
{
	return number & 0xff;
}

/* As the function would return it of two literals: -1, 0 or 1. */
int text_order(const char *a, const char *b, struct text_way way);

#endif
