/*
 * finding.h - the one record in which every engine says what it found.
 *
 * The JSON form is in the design ("plumb-findings/1").  An engine makes
 * findings with finding_new() and fills them; findings_finish() sorts them,
 * merges those of the same leak, gives ids, applies suppressions and baseline.
 */
#ifndef FINDING_FINDING_H
#define FINDING_FINDING_H

#include "base/arena.h"
#include "base/vec.h"
#include "finding/coverage.h"

enum finding_kind {
	FINDING_NEVER_FREED, FINDING_CONDITIONAL, FINDING_OVERWRITTEN,
	FINDING_STALE, FINDING_DOUBLE_FREE, FINDING_USE_AFTER_FREE,
	FINDING__KINDS
};
enum finding_confidence { FINDING_LOW, FINDING_MEDIUM, FINDING_HIGH };
enum { FINDING_BY_VFG = 1, FINDING_BY_PATH = 2, FINDING_BY_RUN = 4,	/* engines */
       FINDING__ENGINES = 3 };

struct finding_loc {
	const char *file;	/* as in the IR: absolute if known; NULL if none */
	unsigned line, column;
	const char *function;
};

/* An instruction of the program that was analysed; {IR_NONE, IR_NONE} if the finding was read
 * from a file. */
struct finding_site {
	uint32_t func, inst;
};

struct finding_step {
	struct finding_loc at;
	const char *message;	/* "allocated here by malloc" */
};

struct finding_edit {		/* one replacement of source text */
	const char *file;
	unsigned line, column, end_line, end_column;	/* end exclusive; equal: insertion */
	const char *text;
};

enum finding_fix { FINDING_FIX_NONE, FINDING_FIX_AVAILABLE, FINDING_FIX_REFUSED };

struct finding {
	enum finding_kind kind;
	const char *resource;		/* "memory", "file" */
	struct finding_loc alloc;	/* in the innermost function that is no allocation wrapper */
	const char *allocator;		/* "malloc", "xstrdup" */
	const char *variable;		/* "ctx->name"; "" if the value is never kept */
	const char *site;		/* by findings_sites(): which call it is; NULL if unknown */
	struct finding_loc leak;	/* where the last chance to free passes */
	struct finding_site made, lost;	/* both in the IR, for plumb fix */
	const char *condition;		/* "n < 0"; "" if none */
	VEC(struct finding_step) path;
	unsigned engines;		/* FINDING_BY_* */
	enum finding_confidence confidence;
	bool suppressed;
	const char *suppress_reason;	/* from the comment, or "baseline" */
	bool in_baseline;
	bool elsewhere;			/* in no file that the user asked about: findings_focus(),
					 * findings_mark_excluded() */
	char id[17];			/* by findings_finish() */
	enum finding_fix fix;
	const char *fix_reason;
	VEC(struct finding_edit) edits;
};

struct finding_failure {
	const char *file, *error;
};

struct source_cache;
struct exclusion;

struct findings {
	struct arena arena;		/* of all strings in here */
	VEC(struct finding *) v;
	unsigned units_analysed;
	VEC(struct finding_failure) failed;
	struct coverage coverage;	/* what was looked at, and what was left out */
	const char *root;		/* project folder: paths are shown relative to it;
					 * to be set before the first finding_path() */
	bool has_baseline;		/* findings_baseline() succeeded */
	struct source_cache *sources;	/* files that findings name, read once (source.h) */
	struct exclusion *exclusion;	/* findings_exclude(); NULL: nothing is excluded */
};

/* root: the git work tree around the current folder, else the current folder. */
void findings_init(struct findings *fs);
void findings_release(struct findings *fs);
/* After findings_finish() or findings_read(): asserts what then holds for each finding and for
 * the coverage. */
void findings_check(const struct findings *fs);
/* A zeroed finding in fs; strings put into it must live in fs->arena or longer. */
struct finding *finding_new(struct findings *fs);
void finding_add_step(struct findings *fs, struct finding *f, const struct finding_loc *at,
		      const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Where an instruction is. */
struct ir_module;
struct ir_func;
struct ir_inst;
struct sbuf;
struct finding_loc finding_at(const struct ir_module *m, const struct ir_func *fn, const struct ir_inst *in);
/* Appends the outcome of a branch, ir_expr_branch(), with its constants as the source has them (spell.c). */
bool finding_branch_text(struct findings *fs, struct sbuf *out, const struct ir_module *m,
			 const struct ir_func *fn, const struct ir_inst *in, uint32_t t);
/* A step: the branch is left by its target number t, in source text; no step if there is no text. */
void finding_add_branch(struct findings *fs, struct finding *f, const struct ir_module *m,
			const struct ir_func *fn, const struct ir_inst *in, uint32_t t);

/* After all engines, first of all: a leak of one allocation that several engines report, or the
 * path engine several times, becomes one finding (unite.c). */
void findings_unite(struct findings *fs);

/* After all engines, before findings_finish(): finds the calls that the findings
 * of a program mean, for their ids. */
void findings_sites(struct findings *fs, const struct ir_module *program);

/*
 * After all engines: merges duplicates (same kind of leak of the same
 * allocation and the same leak place; engines united, higher confidence and
 * shorter path win), sorts by file, line, column, kind, gives ids, reads
 * `// plumb-ignore: reason` comments of the sources.  May be called again after
 * more findings were added.  Afterwards no string of a finding is NULL but
 * suppress_reason and site, and alloc and leak name a place (leak: the last step, or the
 * allocation, if the engine named none).  finish.c says exactly what merges.
 *
 * An id is 16 hex digits of a hash over: the file's name without its folders, the
 * function, leak or which other error, and which call of the function it is
 * (findings_sites(); without that, the allocator and the variable), and a running
 * number among equal ones.  No line numbers and no folders, so that it stays when
 * unrelated lines move, when the sources lie elsewhere and when plumb is run
 * elsewhere.
 */
void findings_finish(struct findings *fs);

/* After findings_finish(): marks findings that a baseline holds (a JSON file of
 * `plumb check --format json`, or SARIF of ours) as in_baseline and suppressed:
 * they no longer count.  Negative: unreadable, and nothing is marked. */
int findings_baseline(struct findings *fs, const char *path);

/* After findings_baseline(): marks findings as elsewhere that concern none of the files: these neither
 * allocate nor lose the object, nor does the path pass them.  Returns how many fewer count now. */
struct fileset;
unsigned findings_focus(struct findings *fs, const struct fileset *files);
/* Names files of which nothing is to be reported (exclude.c).  To be called before the engines run, which
 * count what they judge. */
void findings_exclude(struct findings *fs, const char *const *globs, uint32_t n);
bool finding_is_excluded(struct findings *fs, const char *file);
/* After findings_baseline(): marks what is allocated there as elsewhere, too, and counts it. */
void findings_mark_excluded(struct findings *fs);
/* Removes what was marked so. */
void findings_drop_elsewhere(struct findings *fs);

/* Those that count: neither suppressed, nor in the baseline, nor elsewhere. */
unsigned findings_count(const struct findings *fs);

const char *finding_kind_name(enum finding_kind k);		/* "never-freed" */
const char *finding_kind_title(enum finding_kind k);		/* "memory is never freed", for people */
const char *finding_confidence_name(enum finding_confidence c);
const char *finding_engine_name(unsigned bit);			/* FINDING_BY_VFG: "vfg" */
bool finding_kind_is_leak(enum finding_kind k);			/* or another error with memory */
/* file relative to the root (or as is if outside); interned in the arena. */
const char *finding_path(struct findings *fs, const char *file);

/* A compiler's message names the file itself, with line and column, relative to where
 * it ran: "a.c:3:1: error: ..." of src/a.c.  What it says after the name, from the
 * colon on; NULL if it does not begin with the file's name or the end of its path. */
const char *finding_failure_rest(const char *file, const char *error);

/* Reads "plumb-findings/1" back and adds it to fs, ids and all: for plumb report
 * and tests.  No findings_finish() is needed.  Relative paths are taken to be
 * below fs->root.  Negative: not that format, and fs is as it was. */
int findings_read(struct findings *fs, const char *path);
/* The same from what was parsed; the message does not name the file. */
struct json_t;
int findings_read_json(struct findings *fs, const struct json_t *top);

#endif
