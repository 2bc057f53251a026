/*
 * tally.h - a server that counts.  Requests come on standard input, a line each, as inetd
 * or socat hand them on; answers go to standard output:
 *
 *	add NAME N [TAG...]	NAME is N larger, and made if it is new
 *	get NAME		what it is now
 *	drop NAME
 *	top N			the N largest
 *	stats			what the server did so far, and its memory
 *	quit
 */
#ifndef TALLY_H
#define TALLY_H

#include <stddef.h>
#include <stdio.h>

enum verb { ADD, GET, DROP, TOP, STATS, QUIT };

struct request {
	enum verb verb;
	char *name;		/* of a counter, or "" */
	long n;
	char *tags;		/* the rest of the line */
};

struct counter {
	char *name;
	long n;
	struct counter *next;
};

struct table {
	struct counter **slots;
	size_t nslots, used;
};

struct server {
	struct table table;
	FILE *out;
	unsigned long requests, errors;
};

/* request.c: NULL if the line is no request.  The caller's, for request_free(). */
struct request *request_parse(const char *line);
void request_free(struct request *rq);
/* The next word of *text, which goes behind it; its length, 0 at the end. */
size_t next_word(const char **text, const char **word);

/* table.c */
void table_init(struct table *t);
void table_release(struct table *t);
struct counter *table_find(const struct table *t, const char *name);
struct counter *table_add(struct table *t, const char *name);
void table_drop(struct table *t, const char *name);
/* All counters, the largest first: t->used pointers, for free(). */
struct counter **table_sorted(const struct table *t);

/* serve.c: answers a line.  0: go on, 1: that was the last one. */
int serve(struct server *s, const char *line);

/* memory.c: allocates or ends the program; kB in memory. */
void *xmalloc(size_t n);
char *xstrndup(const char *text, size_t n);
long memory_resident(void);

#endif
