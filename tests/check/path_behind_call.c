// A function with more paths than are followed.  What becomes of a page depends on few of them,
// those behind the call that makes it; and sqlite3_reset() fails only if the last step did.
#include <stddef.h>
#include <string.h>

typedef struct sqlite3_stmt sqlite3_stmt;
extern int sqlite3_step(sqlite3_stmt *), sqlite3_reset(sqlite3_stmt *), sqlite3_column_bytes(sqlite3_stmt *, int);
extern void *sqlite3_malloc64(unsigned long);
extern void sqlite3_free(void *);

struct cursor { sqlite3_stmt *stmt; int bits, sum, mode, *flags; unsigned char *last; };

static int load(struct cursor *c, unsigned char **page)
{
	int rc = 0, rc2;

	*page = NULL;
	if (sqlite3_step(c->stmt) == 100) {
		unsigned char *p = sqlite3_malloc64((unsigned long)sqlite3_column_bytes(c->stmt, 0));
		if (!p)
			rc = 7;
		*page = p;
	}
	rc2 = sqlite3_reset(c->stmt);
	if (rc == 0)
		rc = rc2;
	return rc;
}

static int load_hastily(struct cursor *c, unsigned char **page)
{
	*page = sqlite3_malloc64(100);
	sqlite3_step(c->stmt);
	return sqlite3_reset(c->stmt);
}

#define MANY(n) if (c->flags[n] > n) { c->sum += n; c->mode ^= c->sum; } else if (c->flags[n] < -n) c->mode += n;

int next_ok(struct cursor *c)
{
	unsigned char *page;
	int rc;

	MANY(1) MANY(2) MANY(3) MANY(4) MANY(5) MANY(6) MANY(7) MANY(8) MANY(9) MANY(10) MANY(11) MANY(12)
	rc = load(c, &page); // FP(conditional,vfg)
	if (rc)
		return rc;
	if (page) {
		c->sum += page[0];
		sqlite3_free(page);
	}
	MANY(1) MANY(2) MANY(3) MANY(4) MANY(5) MANY(6) MANY(7) MANY(8) MANY(9) MANY(10) MANY(11) MANY(12)
	return c->mode;
}

int next_bad(struct cursor *c)
{
	unsigned char *page;
	int rc;

	MANY(1) MANY(2) MANY(3) MANY(4) MANY(5) MANY(6) MANY(7) MANY(8) MANY(9) MANY(10) MANY(11) MANY(12)
	rc = load_hastily(c, &page); // LEAK(conditional)
	if (rc)
		return rc;
	if (page) {
		c->sum += page[0];
		sqlite3_free(page);
	}
	MANY(1) MANY(2) MANY(3) MANY(4) MANY(5) MANY(6) MANY(7) MANY(8) MANY(9) MANY(10) MANY(11) MANY(12)
	return c->mode;
}

int next_mode_bad(struct cursor *c)
{
	unsigned char *page;
	int rc;

	MANY(1) MANY(2) MANY(3) MANY(4) MANY(5) MANY(6) MANY(7) MANY(8) MANY(9) MANY(10) MANY(11) MANY(12)
	rc = load(c, &page); // LEAK(conditional)
	if (rc)
		return rc;
	if (page && c->mode > 3) {
		c->sum += page[0];
		sqlite3_free(page);
	}
	return c->mode;
}
