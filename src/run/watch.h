/*
 * watch.h - one watched process, read from its run file, for people.
 *
 *	struct watch_run *r;
 *	if (watch_read(&r, path) < 0) ...
 *	watch_want_symbols(r, symbols);	asks for names of addresses
 *	symbols_resolve(symbols);
 *	watch_take_symbols(r, symbols);	takes the names
 *	watch_judge(r);			rank and kind of each site
 *	watch_link(r, findings);	the findings of the static engines at each site
 *
 * vocabulary
 *	site		an allocation site: a calling context that ends in an allocator
 *	staleness	for how long an object is known to be untouched; never more than
 *			the truth
 *	drag		bytes x staleness, summed over the live objects of a site
 *	wrapper		a frame that allocates for its caller: malloc's kin and xmalloc's
 *	kind		leak, bloat or live; the rule is in watch_judge.c
 */
#ifndef RUN_WATCH_H
#define RUN_WATCH_H

#include "base/arena.h"
#include "base/vec.h"
#include "run/symbol.h"

struct finding;
struct findings;
struct model_set;

enum watch_kind { WATCH_LIVE, WATCH_BLOAT, WATCH_LEAK, WATCH__KINDS };

struct watch_frame {
	const char *module;	/* path; "" for code that belongs to no file */
	const char *function, *file;	/* "" if unknown */
	uint64_t offset;	/* of the return address in the module */
	unsigned line;		/* 0 if unknown */
	bool inlined;		/* into the frame that follows */
	bool wrapper;
};

VEC_TYPE(watch_frames, struct watch_frame);
VEC_TYPE(watch_findings, const struct finding *);

struct watch_point {
	double when;		/* seconds since the start */
	double bytes, stale_bytes;
};

VEC_TYPE(watch_points, struct watch_point);

/* Live bytes of one bucket of staleness. */
struct watch_age {
	double staleness;	/* seconds, at least */
	double upper;		/* and at most, as far as the bucket tells */
	double bytes;
};

struct watch_site {
	char id[17];		/* the same for the same build in another run */
	unsigned rank;		/* from 1; by watch_judge() */
	enum watch_kind kind;
	const char *reason;	/* for this kind, in a sentence */

	struct watch_frames frames;	/* innermost first; may be empty */
	uint32_t at;		/* the first of them that is no wrapper; 0 if all are */
	struct watch_frames touch;	/* who touched it last; empty if not known */
	double touch_time;

	uint64_t objects, bytes;	/* live */
	uint64_t stale_objects, stale_bytes;
	uint64_t allocations, frees;	/* all in all */
	uint64_t peak_bytes;
	double drag;			/* byte x allocations, as in the paper */
	double drag_seconds;		/* byte x seconds */
	double max_staleness;		/* seconds */
	uint64_t max_staleness_allocations;
	double first, last_grown;	/* seconds since the start */
	double measured;	/* the moment at which its staleness was measured */
	VEC(struct watch_age) ages;	/* rising; their sum is about bytes */
	struct watch_points growth;	/* rising in time; at least one */

	struct watch_points cdf;	/* by watch_read_json(), which has no ages; else empty */

	struct watch_findings findings;	/* by watch_link() */

	/* private: frames as in the run file, until they have names */
	VEC(uint64_t) raw_frames, raw_touch;
};

struct watch_module {
	const char *path;	/* "" if unknown */
	const unsigned char *build_id;
	size_t nbuild_id;
	bool unloaded;
	enum symbol_source source;	/* by watch_take_symbols() */
};

enum watch_state { WATCH_RUNNING, WATCH_EXITED, WATCH_EXECED };
enum watch_primitive { WATCH_PRIM_NONE, WATCH_PRIM_MEMFD, WATCH_PRIM_ANONYMOUS };

struct watch_run {
	struct arena arena;
	VEC(const char *) command;
	unsigned pid, parent;
	enum watch_state state;	/* RUNNING: or ended without passing through exit() */
	int exit_status;	/* of EXITED; -1 if not known */
	bool forked;		/* began as a copy of its parent */
	bool cut;		/* there was no room for all of it */
	bool command_cut;
	bool untracked;		/* staleness could not be watched */
	enum watch_primitive primitive;
	double started;		/* seconds since 1970 */
	double duration;	/* seconds, until it last looked at its heap */
	double looked;		/* when that was, as clock_now() counts */
	uint64_t allocations, frees, resizes, failures, bad_frees;
	uint64_t missing_children;	/* forked, without a run file: none could be made */
	uint64_t unwatched_programs;	/* executed, and could not take the library */
	uint64_t live_bytes, peak_bytes, heap_bytes, stale_bytes;
	uint64_t ticked_bytes;	/* live when it last looked at its heap */
	uint64_t unjudged_bytes;	/* by watch_judge(): live, at sites too young or too small for it */
	uint64_t touches, merged_pages;
	double cost;		/* seconds of CPU time that watching staleness took */
	const char *ended;	/* "exited with code 3"; "" if not known: the caller's to set */
	struct watch_points memory;	/* of the process, rising in time */
	VEC(struct watch_module) modules;
	VEC(struct watch_site) sites;	/* after watch_judge(): by rank */
	VEC(const char *) notes;	/* what a reader must know; by watch_note() */
};

/* Reads a run file, of a process that may still be running.  Negative: it is none,
 * or not ready yet; the message names the file. */
int watch_read(struct watch_run **out, const char *path);
/* The same from memory; name is for messages. */
int watch_parse(struct watch_run **out, const void *p, size_t n, const char *name);
void watch_free(struct watch_run *r);

/* The same from the report that was made of a run, "plumb-run/1": named, judged and with
 * wrappers marked; modules and what only judging needs are not in there.  top is a JSON
 * object; relative names of files are taken to be below root.  Negative: not that format,
 * and the message says what is wrong in it. */
struct json_t;
int watch_read_json(struct watch_run **out, const struct json_t *top, const char *root);
/* Frames as both kinds of JSON have them, into v; strings go to a.  Negative as above. */
int watch_read_frames(struct watch_frames *v, struct arena *a, const struct json_t *list, const char *root);

/* Asks the process to look at its heap now, and waits up to `seconds` for it.
 * 1: it did, 0: it did not (it may be asleep), negative: the file cannot be asked. */
int watch_request(const char *path, double seconds);

/* Adds to s what the run needs, then (after symbols_resolve) takes the names. */
void watch_want_symbols(struct watch_run *r, struct symbols *s);
void watch_take_symbols(struct watch_run *r, struct symbols *s);

/* Marks wrappers, by the models of library functions and by their names. */
void watch_mark_wrappers(struct watch_run *r, const struct model_set *models);
/* The same for one stack; gives the first frame that is none, 0 if all are. */
uint32_t watch_mark_frames(struct watch_frames *v, const struct model_set *models);

/* Gives every site its kind, and ranks them.  Knowing wrappers helps. */
void watch_judge(struct watch_run *r);
/* Was the run too short for any site to be judged? */
bool watch_is_short(const struct watch_run *r);

/* The staleness curve of a site, rising from (0, share of bytes in use) to
 * (max_staleness, 1): .when is seconds, .bytes the share that is stale for so long
 * or less.  The caller's, for vec_release(). */
void watch_cdf(struct watch_points *out, const struct watch_site *s);

/* Gives each site the static findings about its allocation. */
void watch_link(struct watch_run *r, struct findings *fs);
/* The findings that one stack is about; the caller's, for vec_release().  Gives the number of
 * the frame at which they allocate; 0 if there are none. */
uint32_t watch_find(struct watch_findings *out, const struct watch_frames *frames, struct findings *fs);
/* Do both mean the same function of the same file?  One name may have been made relative to
 * some folder, or the tree may have been moved: then all parts of the shorter one must be the
 * last of the other, and the functions must not contradict ("" if not known). */
bool watch_same_place(struct findings *fs, const char *file_a, const char *function_a, const char *file_b,
		      const char *function_b);

const char *watch_kind_name(enum watch_kind k);
unsigned watch_count(const struct watch_run *r, enum watch_kind k);
/* The frame that names the site for people; NULL if it has none. */
const struct watch_frame *watch_site_frame(const struct watch_site *s);
void watch_note(struct watch_run *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Asserts all that holds for a run from either source, judged or not. */
void watch_check(const struct watch_run *r);

#endif
