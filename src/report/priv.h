/*
 * priv.h - one writer for each format; report.c chooses.
 */
#ifndef REPORT_PRIV_H
#define REPORT_PRIV_H

#include "report/report.h"

void report__text(struct findings *fs, FILE *f, const struct report_options *o);
void report__json(struct findings *fs, FILE *f, const struct report_options *o);
void report__sarif(struct findings *fs, FILE *f, const struct report_options *o);
void report__html(struct findings *fs, FILE *f, const struct report_options *o);

/* "insert `free(p);`": an edit in a few words of plain text. */
struct sbuf;
void report__edit_text(struct sbuf *b, const struct finding_edit *e);

/* Style and script of the HTML page (html_assets.c). */
extern const char report__page_css[];
extern const char report__page_js[];
extern const char report__common_js[], report__common_js_end[];	/* around all of them */

/* Runs: run.c chooses. */
struct watch_frame;
struct watch_run;
void report__run_json(struct watch_run *r, struct findings *fs, FILE *f);
void report__run_html(struct watch_run *r, struct findings *fs, FILE *f);
int report__run_pprof(struct watch_run *r, struct findings *fs, FILE *f);
void report__frame_text(struct sbuf *b, const struct watch_frame *f);	/* "prog+0x1234" */

/* What the page of a run has beyond that (run_assets.c). */
extern const char report__run_css[];
extern const char report__run_js[];

#endif
