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

/* The member "coverage", as JSON and SARIF have it (json.c). */
struct json_writer;
void report__coverage(struct json_writer *w, const struct findings *fs);

/* "insert `free(p);`": an edit in a few words of plain text. */
struct sbuf;
void report__edit_text(struct sbuf *b, const struct finding_edit *e);

/* The edits of a finding as a unified diff of the sources at hand (site_patch.c).  False if the
 * edits do not fit the sources; nothing is added then. */
bool report__patch(struct sbuf *out, struct findings *fs, const struct finding *f);

/* Parts of the page of findings that other pages have, too (html.c): a finding as a card that
 * opens and closes, with the address #f-ID; a list of what could not be analysed, if any. */
void report__card(struct sbuf *b, struct findings *fs, const struct finding *f, bool open);
void report__failures(struct sbuf *b, struct findings *fs);

/* Style and script of the HTML page (html_assets.c). */
extern const char report__page_css[];
extern const char report__page_js[];
extern const char report__common_js[], report__common_js_end[];	/* around all of them */

/* Runs: run.c chooses. */
struct watch_frame;
struct watch_frames;
struct watch_run;
void report__run_json(struct watch_run *r, struct findings *fs, FILE *f);
void report__run_html(struct watch_run *r, struct findings *fs, FILE *f);
int report__run_pprof(struct watch_run *r, struct findings *fs, FILE *f);
void report__frame_text(struct sbuf *b, const struct watch_frame *f);	/* "prog+0x1234" */

/* Parts of the page of a run that other pages have, too (run_html.c): what was seen of a
 * site, a stack, a frame's name and place, the command, a cell of the table. */
struct watch_site;
void report__run_site(struct sbuf *b, struct findings *fs, const struct watch_run *r,
		      const struct watch_site *s);
void report__run_stack(struct sbuf *b, struct findings *fs, const struct watch_frames *frames, uint32_t at,
		       const char *what);
void report__run_place(struct sbuf *b, struct findings *fs, const struct watch_frame *f);
void report__run_command(struct sbuf *b, const struct watch_run *r);
void report__run_cell(struct sbuf *b, const char *class, void (*how)(struct sbuf *, double), double x);

/* Style and script of the pages of runs and of sites (run_assets.c). */
extern const char report__run_css[];
extern const char report__run_js[];

/* Style of the page of sites alone (site_assets.c). */
extern const char report__site_css[];

#endif
