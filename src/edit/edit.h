/*
 * edit.h - from a plan to replacements of source text.
 */
#ifndef EDIT_EDIT_H
#define EDIT_EDIT_H

#include "edit/files.h"
#include "plan/plan.h"

/* Can source text be edited here?  Negative: there is no libclang. */
int fix_ready(void);

/*
 * The editor: knows the source files of a program.  Files are parsed once.  r was loaded with
 * keep_parts and outlives the editor, as does o.
 */
struct fix_editor;
struct front_options;
struct front_result;
struct fix_editor *fix_editor_new(const struct front_result *r, const struct front_options *o);
/* Refuses what is in files that the user did not mean (scope.h): for changes in place. */
void fix_editor_stay_inside(struct fix_editor *e);
/* Refuses what is in files that are excluded from these findings. */
void fix_editor_exclude(struct fix_editor *e, struct findings *fs);
void fix_editor_free(struct fix_editor *e);
/* Reads and compiles what the plans are about: once, for all of them, before the first fix_edit(). */
void fix_editor_prepare(struct fix_editor *e, const struct fix_plan *plans, uint32_t n);
struct front_part;
struct lean;
struct sbuf;
/* How a part is compiled in less time (edit_lean.c), or NULL; if it turns out that it does not do it is
 * dropped. */
const struct lean *fix_editor_lean(const struct fix_editor *e, const struct front_part *part);
void fix_editor_drop_lean(struct fix_editor *e, const struct front_part *part);
/* The edited text of a part's source as far as a trial needs it: without bodies that nobody edits, if that
 * has done before. */
struct fix_file;
void fix_editor_text(const struct fix_editor *e, const struct front_part *part,
		     const struct fix_file *f, struct sbuf *out);
/* Of what came of such a text, only functions that are edited, or were not there, remain definitions. */
void fix_editor_strip(const struct fix_editor *e, const struct ir_module *was, struct ir_module *now);
/* Turns a plan into edits of plan->finding (struct finding_edit).  Negative: error_last() says
 * why this cannot be written into the source ("inside the macro FOO"); no edit was added. */
int fix_edit(struct fix_editor *e, const struct fix_plan *plan, struct findings *fs);
/* The first of a plan and those behind it that can be written, with its edits in the finding; NULL: none,
 * and error_last() says why the first cannot. */
struct fix_plan *fix_edit_any(struct fix_editor *e, struct fix_plan *plan, struct findings *fs);
/* The files with all these plans, each of which fix_edit() has taken; by path, texts in the arena.
 * Insertions that two of them share are made once. */
void fix_editor_apply(struct fix_editor *e, const struct fix_plan *const *plans,
		      uint32_t n, struct arena *arena,
		      struct fix_files *out);

#endif
