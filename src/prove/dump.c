/*
 * dump.c - plans as text.
 */
#include "prove/dump.h"

#include "plan/plan.h"

void prove_dump(const struct check_program *c, FILE *out)
{
	const struct check_options o = { .values = true, .paths = true, .jobs = 1 };
	struct findings fs;
	struct fix_planner *pl;
	struct pta *p;

	findings_init(&fs);
	check_find(&fs, c, &o);
	p = pta_new(c->r.program, c->models);
	pl = fix_planner_new(c->r.program, c->models, p);
	for (uint32_t i = 0; i < fs.v.n; i++) {
		struct fix_plan plan;

		if (!finding_kind_is_leak(fs.v.v[i]->kind))
			continue;
		fix_plan_make(pl, fs.v.v[i], &fs.arena, &plan);
		fix_plan_print(&plan, c->r.program, out);
		fix_plan_release(&plan);
	}
	fix_planner_free(pl);
	pta_free(p);
	findings_release(&fs);
}
