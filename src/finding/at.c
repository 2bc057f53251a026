/*
 * at.c - places and branches of a program, as steps of a finding.
 *
 * needs: the IR; for the text of a condition the sources, too (spell.c).
 */
#include "finding/finding.h"

#include "base/sbuf.h"
#include "ir/io.h"

#include <assert.h>

struct finding_loc finding_at(const struct ir_module *m, const struct ir_func *fn, const struct ir_inst *in)
{
	const struct ir_pos *p = &in->pos;

	assert(p->file == IR_NONE || p->file < m->files.n);
	return (struct finding_loc){
		.file = p->file == IR_NONE ? NULL : m->files.v[p->file], .line = p->line, .column = p->col,
		.function = fn->src,
	};
}

void finding_add_branch(struct findings *fs, struct finding *f, const struct ir_module *m,
			const struct ir_func *fn, const struct ir_inst *in, uint32_t t)
{
	struct finding_loc at = finding_at(m, fn, in);
	struct sbuf text = {0};

	assert(in->op != IR_CONDBR || t < 2);
	if (finding_branch_text(fs, &text, m, fn, in, t)) {
		if (in->op == IR_SWITCH)
			finding_add_step(fs, f, &at, "goes to the case `%s`", sbuf_str(&text));
		else
			finding_add_step(fs, f, &at, "continues when `%s`", sbuf_str(&text));
	} else if (in->op == IR_SWITCH && !t) {
		sbuf_clear(&text);
		if (ir_expr(&text, m, fn, in->ops[0]))
			finding_add_step(fs, f, &at, "no case fits `%s`", sbuf_str(&text));
	}
	sbuf_release(&text);
}
