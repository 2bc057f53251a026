/*
 * code.h - summaries and results as bytes, for the next run.
 *
 * Functions and globals are named by identity (ir/ident.h), effects of models by
 * the model's name and a number.  Reading believes nothing: whatever an engine
 * would take for an index is within its bounds afterwards, or code_get fails.
 */
#ifndef PATH_CODE_H
#define PATH_CODE_H

#include "base/bytes.h"
#include "path/exec.h"

/* False: there is something in it that has no name in another run. */
bool code_put_summary(const struct engine *e, const struct summary *s, struct sbuf *out);
bool code_put_result(const struct engine *e, const struct result *r, struct sbuf *out);

/* After false, what was filled is to be released all the same.  Strings are the module's. */
bool code_get_summary(const struct engine *e, uint32_t func, struct summary *s, struct bytes *in);
bool code_get_result(const struct engine *e, uint32_t func, struct result *r, struct bytes *in);

#endif
