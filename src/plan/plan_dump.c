/*
 * plan_dump.c - plans as text that is the same in every run, for plumb dump fix.
 */
#include "plan/priv.h"

#include "base/file.h"

static void print_pos(const struct ir_module *m, const struct ir_func *f, uint32_t inst, FILE *out)
{
	const struct ir_pos *p = &f->insts[inst].pos;

	(void)m;
	fprintf(out, "%u:%u", p->line, p->col);
}

/* A block by where it begins; the one that only returns by name. */
static void print_block(const struct ir_module *m, const struct ir_func *f, uint32_t b, FILE *out)
{
	uint32_t i = f->blocks[b].first, end = i + f->blocks[b].n - 1;

	while (i < end && !f->insts[i].pos.line)
		i++;
	fprintf(out, "b%u@", b);
	print_pos(m, f, i, out);
}

static void print_insertion(const struct ir_module *m, const struct fix_insertion *in, FILE *out)
{
	const struct ir_func *f = &m->funcs.v[in->func];

	fprintf(out, "    %s: ", f->src);
	switch (in->where) {
	case FIX_EDGE:
		fprintf(out, "between ");
		print_block(m, f, in->from, out);
		fprintf(out, " and ");
		print_block(m, f, in->to, out);
		break;
	case FIX_BEFORE:
	case FIX_AFTER:
		fprintf(out, in->where == FIX_BEFORE ? "before " : "after ");
		print_pos(m, f, in->inst, out);
		break;
	case FIX_RESULT:
		fprintf(out, "result of ");
		print_pos(m, f, in->inst, out);
		fprintf(out, " %s", in->cond);
		break;
	case FIX_DECLARE:
		fprintf(out, "declare");
		break;
	case FIX_INIT:
		fprintf(out, "declaration of %s", in->names.v[0].name);
		break;
	case FIX_WRAP:
		fprintf(out, "within ");
		print_pos(m, f, in->inst, out);
		break;
	}
	fprintf(out, ": ");
	for (const char *p = in->text; *p; p++)
		if (*p != '\t')
			fputc(*p == '\n' ? ' ' : *p, out);
	fputc('\n', out);
}

void fix_plan_print(const struct fix_plan *plan, const struct ir_module *m, FILE *out)
{
	const struct finding *f = plan->finding;

	fprintf(out, "%s:%u: %s: %s\n", path_base(f->alloc.file), f->alloc.line, f->alloc.function,
		f->allocator);
	if (plan->refused)
		fprintf(out, "    refused: %s\n", plan->refused);
	for (uint32_t i = 0; i < plan->in.n; i++)
		print_insertion(m, &plan->in.v[i], out);
}
