/*
 * run.h - what was seen in a watched process, for people and for machines.
 */
#ifndef REPORT_RUN_H
#define REPORT_RUN_H

#include "run/watch.h"

#include <stdio.h>

struct findings;
struct sbuf;

enum run_format { RUN_FORMAT_JSON, RUN_FORMAT_HTML, RUN_FORMAT_PPROF, RUN__FORMATS };

int run_format_parse(enum run_format *out, const char *name, size_t n);	/* negative: unknown */
const char *run_format_ext(enum run_format fmt);	/* ".json", ".html", ".pb.gz" */

/* Writes the whole report to f, after watch_judge().  fs knows how paths are shown and
 * reads sources; the findings that were linked to the sites are from fs.  Negative on a
 * write error. */
int run_report_write(struct watch_run *r, struct findings *fs, enum run_format fmt, FILE *f);

/* "2 leaks, 1 site of bloat"; "no leaks" always with the bytes that were too young to be judged */
void run_report_count(struct sbuf *b, const struct watch_run *r);
/* "load() (src/a.c:41)", "prog+0x1234"; never empty, fit for a terminal */
void run_report_site(struct sbuf *b, struct findings *fs, const struct watch_site *s);
/* "72.0 kB" */
void run_report_bytes(struct sbuf *b, double bytes);
/* "11.2 s", "3 min 20 s" */
void run_report_time(struct sbuf *b, double seconds);

#endif
