/* what a library's functions do to their arguments, as real programs use it */
#include <stdlib.h>
#include <string.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_mutex sqlite3_mutex;
char *sqlite3_mprintf(const char *, ...);
void sqlite3_free(void *);
int sqlite3_prepare_v2(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
int sqlite3_step(sqlite3_stmt *);
int sqlite3_finalize(sqlite3_stmt *);
int sqlite3_open(const char *, sqlite3 **);
int sqlite3_close(sqlite3 *);
const char *sqlite3_errmsg(sqlite3 *);
int sqlite3_config(int, ...);
sqlite3_mutex *sqlite3_mutex_alloc(int);
void sqlite3_mutex_enter(sqlite3_mutex *);
char *sqlite3_expanded_sql(sqlite3_stmt *);
void puts_err(const char *);

/* %z frees its argument */
char *where(char **v, int n)
{
	char *s = NULL;
	const char *sep = "";

	for (int i = 0; i < n; i++) {
		s = sqlite3_mprintf("%z%sname = '%q'", s, sep, v[i]);
		if (s == NULL)
			break;
		sep = " OR ";
	}
	return s;
}

char *message(const char *sql, int offset)
{
	char *code = sqlite3_mprintf("%.*s", 78, sql);

	return sqlite3_mprintf("\n  %z\n  %*s^--- error here", code, offset, "");
}

int use(char **v, int n)
{
	char *s = where(v, n), *t = message("x", n);
	int ret = s && t;

	sqlite3_free(s);
	sqlite3_free(t);
	return ret;
}

/* no statement where the result is not 0 */
int query(sqlite3 *db, int rc)
{
	sqlite3_stmt *st = NULL;

	if (rc == 0)
		rc = sqlite3_prepare_v2(db, "SELECT 1", -1, &st, NULL);
	if (rc == 0) {
		while (sqlite3_step(st) == 100)
			;
		rc = sqlite3_finalize(st);
	} else {
		puts_err(sqlite3_errmsg(db));
	}
	return rc;
}

int all(sqlite3 *db, const char *sql)
{
	int rc = 0;

	while (rc == 0 && sql && sql[0]) {
		sqlite3_stmt *st = NULL;

		rc = sqlite3_prepare_v2(db, sql, -1, &st, &sql);
		if (rc == 0) {
			if (st)
				sqlite3_finalize(st);
		} else {
			puts_err(sqlite3_errmsg(db));
		}
	}
	return rc;
}

/* one of the library's own mutexes is asked for, not made */
void enter(void)
{
	sqlite3_mutex_enter(sqlite3_mutex_alloc(2));
}

/* the library keeps the memory */
void configure(long n, long size)
{
	sqlite3_config(7, n > 0 && size > 0 ? malloc((size_t)(n * size)) : NULL, size, n);
}

/* a handle is given even where opening fails */
int open_bad(const char *name)
{
	sqlite3 *db = NULL;
	int rc = sqlite3_open(name, &db); // LEAK(conditional)

	if (rc != 0) {
		puts_err(sqlite3_errmsg(db));
		return rc;
	}
	sqlite3_close(db);
	return 0;
}

size_t trace_bad(sqlite3_stmt *st)
{
	const char *s = sqlite3_expanded_sql(st); // LEAK(never-freed)

	return s ? strlen(s) : 0;
}

/* leaves in the middle of the loop, without memory for the next text */
int names_bad(sqlite3 *db)
{
	sqlite3_stmt *st;

	sqlite3_prepare_v2(db, "PRAGMA database_list", -1, &st, NULL); // LEAK(conditional)
	while (sqlite3_step(st) == 100) {
		char *s = sqlite3_mprintf("%d", 3);

		if (s == NULL)
			return 7;
		sqlite3_free(s);
	}
	return sqlite3_finalize(st);
}
