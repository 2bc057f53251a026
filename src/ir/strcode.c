/*
 * strcode.c - strings in a record, about a third shorter than they are.
 *
 * Names and messages are most of a small unit's record.  They are ASCII nearly
 * always, so that the other 128 bytes can stand for the pairs of characters that
 * are most frequent in C programs (counted in half a dozen of them, each string
 * once).  That is all: no tables in the record, and a decoder of a few lines.
 *
 *	0		the end
 *	1 c		the character c, if it is 1 or above 127
 *	128 + i		pair number i
 *	other		itself
 */
#include "ir/strcode.h"

#include "base/sbuf.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { ESCAPE = 1, FIRST_PAIR = 128, PAIRS = 128 };

/* Changing it means raising IR_VERSION. */
static const char pairs[2 * PAIRS + 1] =
	"reintestcoleset_orpaerond_chdealt anenare_ti%sd unthlifi  ckloat"
	"ges_simeshnoditotrs __mae itecexroadmoaby_namplammouopupl_ridobu"
	": raffg_--cesuw_baneoby tsid_fg ulgiiloltaurcasavehepoumpur_ctpr"
	"f_fakepequigsphadazep_, es_t_cdum_vi_wfoettyx_acssscedluusInppmi";

/* The number of the pair, or -1.  Of most characters few pairs begin with it: the
 * table gives the first of them, next[] the others. */
struct index {
	int8_t first[128];
	int8_t next[PAIRS];
};

static void index_init(struct index *x)
{
	memset(x, -1, sizeof(*x));
	for (int i = PAIRS - 1; i >= 0; i--) {
		int c = pairs[2 * i];

		x->next[i] = x->first[c];
		x->first[c] = (int8_t)i;
	}
}

static int find_pair(const struct index *x, const char *s)
{
	int i = (unsigned char)s[0] < 128 ? x->first[(unsigned char)s[0]] : -1;

	while (i >= 0 && pairs[2 * i + 1] != s[1])
		i = x->next[i];
	return i;
}

void strcode_put(struct sbuf *out, const char *const *v, size_t n)
{
	struct index x;

	index_init(&x);
	for (size_t i = 0; i < n; i++) {
		for (const char *s = v[i]; *s; s++) {
			unsigned char c = (unsigned char)*s;
			int pair = find_pair(&x, s);

			if (pair >= 0) {
				c = (unsigned char)(FIRST_PAIR + pair);
				s++;
			} else if (c == ESCAPE || c >= FIRST_PAIR) {
				sbuf_addc(out, ESCAPE);
			}
			sbuf_addc(out, (char)c);
		}
		sbuf_addc(out, 0);
	}
}

void strcode_get(struct sbuf *out, const unsigned char *p, size_t n)
{
	assert(!memchr(p, 0, n));
	for (size_t i = 0; i < n; i++) {
		if (p[i] >= FIRST_PAIR)
			sbuf_add(out, &pairs[2 * (p[i] - FIRST_PAIR)], 2);
		else if (p[i] == ESCAPE && i + 1 < n)
			sbuf_addc(out, (char)p[++i]);
		else
			sbuf_addc(out, (char)p[i]);
	}
}
