/*
 * report.h - findings for people and for machines.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "finding/finding.h"

#include <stdbool.h>
#include <stdio.h>

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_SARIF, REPORT_HTML };

struct report_options {
	bool color;
	unsigned width;			/* columns of the terminal; 0: 100 */
	bool show_suppressed;		/* text only: list them too */
	const char *command_line;	/* for SARIF's invocation */
};

const char *report_format_name(unsigned i);	/* of enum report_format; NULL behind the last */
int report_format_parse(enum report_format *out, const char *name);	/* negative: unknown */
/* Writes the whole report to f.  Negative on a write error. */
int report_write(struct findings *fs, enum report_format fmt, FILE *f, const struct report_options *o);

/* The edits of a finding in a few words: "insert 'free(p);' at line 12". */
struct sbuf;
void report_edits(struct sbuf *b, struct findings *fs, const struct finding *f);

#define PLUMB_VERSION "0.1.0"

#endif
