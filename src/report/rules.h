/*
 * rules.h - the kinds of findings, explained at some length.
 */
#ifndef REPORT_RULES_H
#define REPORT_RULES_H

#include "finding/finding.h"

struct report_rule {
	const char *name;	/* in words run together, for SARIF */
	const char *title;	/* without a full stop */
	const char *text;	/* what it means */
	const char *advice;	/* what to do; `code` in back quotes */
	const char *tags[2];
	const char *precision;	/* as GitHub has it: very-high, high, medium, low */
	const char *level;	/* "error", "warning" */
};

extern const struct report_rule report__rules[FINDING__KINDS];

#endif
