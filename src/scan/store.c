/*
 * store.c - the results of a scan in a database, for queries.
 *
 *	entry	one row for each entry: what it is, its size, coverage, costs and log (logs/NAME.log), and the
 *		reason why it was not analysed
 *	step	each program that its job ran, and how that ended
 *	finding	one row each, with the outcome of plumb fix
 *	cut	how many allocations of an entry were cut, by reason
 *	refused	a view: why fixes were refused
 *	trouble	a view: the steps that did not end well
 *
 * The result files decide, and hold more: the database is made of them, and made again when it is removed.
 * A result replaces the rows of its entry, all or nothing.
 */
#include "scan/scan.h"

#include "base/error.h"
#include "base/file.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define SCHEMA_VERSION 1

static const char schema[] =
	"CREATE TABLE entry (\n"
	"  name TEXT PRIMARY KEY, entry TEXT NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL,"
	" version TEXT, tool_version TEXT NOT NULL,\n"
	"  build_system TEXT, why TEXT,		-- why: NULL if it was analysed\n"
	"  units INTEGER, lines INTEGER, programs INTEGER, programs_left_out INTEGER,\n"
	"  allocations INTEGER, judged INTEGER, stored INTEGER, cut INTEGER, functions_incomplete INTEGER,"
	" units_left_out INTEGER,\n"
	"  cpu_check REAL, cpu_fix REAL, cpu_compile REAL,"
	"	-- cpu_compile: of clang -O2 -c, for all units\n"
	"  memory_check INTEGER, memory_fix INTEGER,	-- bytes\n"
	"  log TEXT NOT NULL);\n"
	"CREATE TABLE step (\n"
	"  name TEXT NOT NULL REFERENCES entry(name) ON DELETE CASCADE, number INTEGER NOT NULL,"
	" step TEXT NOT NULL, what TEXT,\n"
	"  ended TEXT NOT NULL, code INTEGER, seconds REAL, cpu REAL, memory INTEGER, said TEXT,\n"
	"  PRIMARY KEY (name, number));\n"
	"CREATE TABLE finding (\n"
	"  name TEXT NOT NULL REFERENCES entry(name) ON DELETE CASCADE, id TEXT NOT NULL,"
	" kind TEXT, resource TEXT, file TEXT, line INTEGER,\n"
	"  function TEXT, allocator TEXT, variable TEXT, confidence TEXT, suppressed INTEGER,"
	" fix TEXT, reason TEXT,\n"
	"  PRIMARY KEY (name, id));\n"
	"CREATE TABLE cut (\n"
	"  name TEXT NOT NULL REFERENCES entry(name) ON DELETE CASCADE, reason TEXT NOT NULL,"
	" count INTEGER NOT NULL,\n"
	"  PRIMARY KEY (name, reason));\n"
	"CREATE VIEW refused AS SELECT reason, count(*) AS findings FROM finding WHERE fix = 'refused'"
	" GROUP BY reason ORDER BY 2 DESC;\n"
	"CREATE VIEW trouble AS SELECT name, step, what, ended, code, said FROM step WHERE ended <> 'ok';\n";

struct scan_store {
	sqlite3 *db;
};

static int fail(struct scan_store *s)
{
	return error_set("the database of the scan: %s", sqlite3_errmsg(s->db));
}

static int run(struct scan_store *s, const char *sql)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(s);
}

/* ---- one statement ---- */

struct query {
	sqlite3_stmt *st;
	int bound;		/* of its parameters, in their order */
};

static int query_open(struct scan_store *s, struct query *q, const char *sql)
{
	*q = (struct query){0};
	return sqlite3_prepare_v2(s->db, sql, -1, &q->st, NULL) == SQLITE_OK ? 0 : fail(s);
}

static bool all_bound(const struct query *q)
{
	return q->bound == sqlite3_bind_parameter_count(q->st);
}

static void bind_text(struct query *q, const char *text)
{
	assert(!all_bound(q));
	sqlite3_bind_text(q->st, ++q->bound, text, -1, SQLITE_TRANSIENT);	/* NULL: null */
}

static void bind_int(struct query *q, int64_t x)
{
	assert(!all_bound(q));
	sqlite3_bind_int64(q->st, ++q->bound, x);
}

static void bind_real(struct query *q, double x)
{
	assert(!all_bound(q));
	sqlite3_bind_double(q->st, ++q->bound, x);
}

static void bind_member(struct query *q, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (json_is_integer(v))
		bind_int(q, json_integer_value(v));
	else if (json_is_real(v))
		bind_real(q, json_real_value(v));
	else if (json_is_boolean(v))
		bind_int(q, json_is_true(v));
	else
		bind_text(q, json_string_value(v));
}

/* Runs a statement that returns no rows, and releases the statement. */
static int query_done(struct scan_store *s, struct query *q)
{
	int ret;

	assert(all_bound(q));
	ret = sqlite3_step(q->st) == SQLITE_DONE ? 0 : fail(s);
	sqlite3_finalize(q->st);
	return ret;
}

/* ---- opening ---- */

int scan_store_open(struct scan_store **out, const char *path)
{
	struct scan_store *s = xcalloc(1, sizeof(*s));
	int ret = -1, version = -1;
	struct query q;

	if (sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK) {
		error_set("%s: %s", path, s->db ? sqlite3_errmsg(s->db) : "no memory");
		goto fail;
	}
	sqlite3_busy_timeout(s->db, 10000);
	if (query_open(s, &q, "PRAGMA user_version") < 0) {
		error_prefix("%s: ", path);
		goto fail;
	}
	if (sqlite3_step(q.st) == SQLITE_ROW)
		version = sqlite3_column_int(q.st, 0);
	sqlite3_finalize(q.st);
	if (version != 0 && version != SCHEMA_VERSION) {
		error_set("%s: %s (remove it: it is made again of the result files)", path,
			  version < 0 ? "no database" : "made by another version of plumb");
		goto fail;
	}
	ret = run(s, "PRAGMA foreign_keys = ON");
	if (ret == 0 && version == 0) {
		char *sql = xasprintf("BEGIN; %s PRAGMA user_version = %d; COMMIT;", schema, SCHEMA_VERSION);

		ret = run(s, sql);
		free(sql);
	}
	if (ret == 0) {
		*out = s;
		return 0;
	}
fail:
	scan_store_close(s);
	return ret;
}

void scan_store_close(struct scan_store *s)
{
	if (s)
		sqlite3_close(s->db);
	free(s);
}

bool scan_store_has(struct scan_store *s, const char *name, const char *entry)
{
	struct query q;
	bool found;

	if (query_open(s, &q, "SELECT 1 FROM entry WHERE name = ? AND entry = ?") < 0)
		return false;
	bind_text(&q, name);
	bind_text(&q, entry);
	assert(all_bound(&q));
	found = sqlite3_step(q.st) == SQLITE_ROW;
	sqlite3_finalize(q.st);
	return found;
}

/* ---- a result ---- */

/* The CPU time of all steps of this name together, and the most memory of one. */
static void sum_steps(const json_t *r, const char *name, double *cpu, int64_t *memory)
{
	json_t *step;
	size_t i;

	*cpu = 0;
	*memory = 0;
	json_array_foreach(json_object_get(r, "steps"), i, step) {
		const char *is = jr_get_str(step, "name");
		int64_t bytes = 0;

		if (!is || !str_eq(is, name))
			continue;
		*cpu += json_number_value(json_object_get(step, "cpu"));
		jr_get_int(step, "memory", &bytes);
		*memory = MAX(*memory, bytes);
	}
}

static int put_entry(struct scan_store *s, const json_t *r)
{
	static const char sql[] =
		"INSERT INTO entry VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
	static const char *const texts[] = {
		"name", "entry", "kind", "source", "version", "tool_version", "build_system", "why", "units",
		"lines"
	};
	static const char *const counts[] = { "allocations", "judged", "stored", "cut" };
	const json_t *coverage = json_object_get(r, "coverage");
	double share = json_number_value(json_object_get(r, "compiled_share")), cpu[3];
	int64_t memory[3];
	struct query q;
	char *log;

	if (query_open(s, &q, sql) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		bind_member(&q, r, texts[i]);
	bind_int(&q, (int64_t)json_array_size(json_object_get(r, "programs")));
	bind_member(&q, r, "programs_left_out");
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		bind_member(&q, coverage, counts[i]);
	bind_int(&q, (int64_t)json_array_size(json_object_get(coverage, "functions_incomplete")));
	bind_int(&q, (int64_t)json_array_size(json_object_get(coverage, "units_left_out")));
	sum_steps(r, "check", &cpu[0], &memory[0]);
	sum_steps(r, "fix", &cpu[1], &memory[1]);
	sum_steps(r, "compile", &cpu[2], &memory[2]);
	bind_real(&q, cpu[0]);
	bind_real(&q, cpu[1]);
	if (share > 0)
		bind_real(&q, cpu[2] / share);
	else
		bind_text(&q, NULL);
	bind_int(&q, memory[0]);
	bind_int(&q, memory[1]);
	log = xasprintf("logs/%s.log", jr_get_str(r, "name"));
	bind_text(&q, log);
	free(log);
	return query_done(s, &q);
}

static int put_steps(struct scan_store *s, const json_t *r)
{
	static const char *const columns[] = {
		"name", "what", "end", "code", "seconds", "cpu", "memory", "said"
	};
	json_t *step;
	size_t i;

	json_array_foreach(json_object_get(r, "steps"), i, step) {
		struct query q;

		if (query_open(s, &q, "INSERT INTO step VALUES (?,?,?,?,?,?,?,?,?,?)") < 0)
			return -1;
		bind_text(&q, jr_get_str(r, "name"));
		bind_int(&q, (int64_t)i);
		for (size_t k = 0; k < ARRAY_LEN(columns); k++)
			bind_member(&q, step, columns[k]);
		if (query_done(s, &q) < 0)
			return -1;
	}
	return 0;
}

static int put_findings(struct scan_store *s, const json_t *r)
{
	static const char sql[] = "INSERT OR REPLACE INTO finding VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)";
	static const char *const columns[] = {
		"id", "kind", "resource", "file", "line", "function", "allocator", "variable", "confidence",
		"suppressed"
	};
	json_t *f;
	size_t i;

	json_array_foreach(json_object_get(r, "findings"), i, f) {
		struct query q;

		if (query_open(s, &q, sql) < 0)
			return -1;
		bind_text(&q, jr_get_str(r, "name"));
		for (size_t k = 0; k < ARRAY_LEN(columns); k++)
			bind_member(&q, f, columns[k]);
		bind_member(&q, json_object_get(f, "fix"), "status");
		bind_member(&q, json_object_get(f, "fix"), "reason");
		if (query_done(s, &q) < 0)
			return -1;
	}
	return 0;
}

static int put_cut(struct scan_store *s, const json_t *r)
{
	json_t *reason;
	size_t i;

	json_array_foreach(json_object_get(json_object_get(r, "coverage"), "cut_reasons"), i, reason) {
		struct query q;

		if (query_open(s, &q, "INSERT OR REPLACE INTO cut VALUES (?,?,?)") < 0)
			return -1;
		bind_text(&q, jr_get_str(r, "name"));
		bind_member(&q, reason, "reason");
		bind_member(&q, reason, "count");
		if (query_done(s, &q) < 0)
			return -1;
	}
	return 0;
}

static int remove_old(struct scan_store *s, const json_t *r)
{
	struct query q;

	if (query_open(s, &q, "DELETE FROM entry WHERE name = ?") < 0)
		return -1;
	bind_text(&q, jr_get_str(r, "name"));
	return query_done(s, &q);
}

static int put_rows(struct scan_store *s, const json_t *r)
{
	if (remove_old(s, r) < 0 || put_entry(s, r) < 0 || put_steps(s, r) < 0)
		return -1;
	return put_findings(s, r) < 0 || put_cut(s, r) < 0 ? -1 : 0;
}

int scan_store_put(struct scan_store *s, const json_t *r)
{
	assert(jr_get_str(r, "name"));
	if (run(s, "BEGIN IMMEDIATE") < 0)
		return -1;
	if (put_rows(s, r) == 0 && run(s, "COMMIT") == 0)
		return 0;
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);	/* the message stays that of the failure */
	return -1;
}

/* ---- printing ---- */

/* The columns of the query below, in its order. */
enum {
	C_NAME, C_KLOC, C_UNITS, C_HIGH, C_MEDIUM, C_FIXED, C_JUDGED, C_ALLOCATIONS, C_CHECK, C_CLANG,
	C_FIX, C_MB, C_TROUBLE, C__COLUMNS
};

static void print_row(FILE *f, sqlite3_stmt *st)
{
	fprintf(f, "%-24s %7.1f %5d ", (const char *)sqlite3_column_text(st, C_NAME),
		sqlite3_column_double(st, C_KLOC), sqlite3_column_int(st, C_UNITS));
	fprintf(f, "%5d %6d %5d ", sqlite3_column_int(st, C_HIGH), sqlite3_column_int(st, C_MEDIUM),
		sqlite3_column_int(st, C_FIXED));
	fprintf(f, "%6d/%6d ", sqlite3_column_int(st, C_JUDGED), sqlite3_column_int(st, C_ALLOCATIONS));
	fprintf(f, "%7.1f %8.2f ", sqlite3_column_double(st, C_CHECK), sqlite3_column_double(st, C_CLANG));
	fprintf(f, "%6.2f %6d  ", sqlite3_column_double(st, C_FIX), sqlite3_column_int(st, C_MB));
	fprintf(f, "%s\n", (const char *)sqlite3_column_text(st, C_TROUBLE));
}

int scan_store_print(struct scan_store *s, FILE *f)
{
	static const char sql[] =
		"SELECT e.name, coalesce(e.lines, 0) / 1000.0, coalesce(e.units, 0),"
		" (SELECT count(*) FROM finding"
		"  WHERE name = e.name AND confidence = 'high' AND NOT suppressed),"
		" (SELECT count(*) FROM finding"
		"  WHERE name = e.name AND confidence = 'medium' AND NOT suppressed),"
		" (SELECT count(*) FROM finding WHERE name = e.name AND fix = 'available'),"
		" coalesce(e.judged, 0), coalesce(e.allocations, 0),"
		" coalesce(e.cpu_check, 0), coalesce(e.cpu_check / nullif(e.cpu_compile, 0), 0),"
		" coalesce(e.cpu_fix / nullif(e.cpu_check, 0), 0), coalesce(e.memory_check, 0) / 1048576,"
		" coalesce(e.why, (SELECT group_concat(step || ' ' || ended, ', ')"
		"                  FROM trouble t WHERE t.name = e.name), '')"
		" FROM entry e ORDER BY e.name";
	struct query q;
	unsigned n = 0;
	int ret;

	if (query_open(s, &q, sql) < 0)
		return -1;
	assert(sqlite3_column_count(q.st) == C__COLUMNS);
	while ((ret = sqlite3_step(q.st)) == SQLITE_ROW) {
		if (!n++)
			fprintf(f, "%-24s %7s %5s %5s %6s %5s %13s %7s %8s %6s %6s  %s\n", "name", "kLOC",
				"units", "high", "medium", "fixed", "judged", "check s", "/ clang", "fix /",
				"MB", "trouble");
		print_row(f, q.st);
	}
	if (ret != SQLITE_DONE)
		fail(s);
	sqlite3_finalize(q.st);
	return ret == SQLITE_DONE ? 0 : -1;
}
