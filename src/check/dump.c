/*
 * dump.c - the stages of the analysis as text.
 */
#include "check/dump.h"

#include "base/diag.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sbuf.h"
#include "check/engines.h"
#include "ir/io.h"
#include "path/path.h"
#include "vfg/vfg.h"

#include <stdlib.h>

void check_dump_ir(const struct check_program *c, FILE *out)
{
	ir_print(c->r.program, out, IR_PRINT_ALL);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The defined functions, one a line, sorted: "src/a.c:41: load". */
void check_dump_functions(const struct check_program *c, FILE *out)
{
	const struct ir_module *m = c->r.program;
	VEC(char *) lines = {0};
	char *here = path_absolute(".");
	struct sbuf b = {0};

	for (uint32_t i = 0; i < m->funcs.n; i++) {
		const struct ir_func *f = &m->funcs.v[i];
		char *path;

		if (ir_is_decl(f))
			continue;
		path = f->pos.file == IR_NONE ? xstrdup("?") : path_relative(m->files.v[f->pos.file], here);
		vec_push(&lines, xasprintf("%s:%u: %s", path, f->pos.line, f->src));
		free(path);
	}
	if (lines.n)
		qsort(lines.v, lines.n, sizeof(*lines.v), by_text);
	for (uint32_t i = 0; i < lines.n; i++) {
		diag_harmless(&b, lines.v[i]);
		sbuf_addc(&b, '\n');
		free(lines.v[i]);
	}
	fwrite(b.s, 1, b.n, out);
	sbuf_release(&b);
	vec_release(&lines);
	free(here);
}

/* The units and the files with code in them, as JSON: for who wants to compile them again. */
void check_dump_units(const struct check_program *c, FILE *out)
{
	struct json_writer w;

	jw_begin(&w, out);
	jw_object(&w);
	jw_key(&w, "units");
	jw_array(&w);
	for (uint32_t i = 0; i < c->r.program->units.n; i++) {
		const struct ir_unit *u = &c->r.program->units.v[i];
		struct unit unit = {0};

		jw_object(&w);
		jw_kstr(&w, "unit", u->path);
		jw_kstr(&w, "dir", u->dir);
		jw_key(&w, "flags");
		jw_array(&w);
		unit_read_flags(&unit, u);
		for (uint32_t k = 0; k < unit.flags.n; k++)
			jw_str(&w, unit.flags.v[k]);
		unit_release(&unit);
		jw_array_close(&w);
		jw_object_close(&w);
	}
	jw_array_close(&w);
	jw_key(&w, "files");
	jw_array(&w);
	for (uint32_t i = 0; i < c->r.program->files.n; i++)
		jw_str(&w, c->r.program->files.v[i]);
	jw_array_close(&w);
	jw_object_close(&w);
	jw_end(&w);
}

/* The models in force, of the functions that the program calls. */
void check_dump_models(const struct check_program *c, FILE *out)
{
	for (unsigned i = 0; i < model_count(c->models); i++) {
		const struct model *md = model_at(c->models, i);

		if (model_find(c->models, md->name) == md && ir_find_func(c->r.program, md->name) != IR_NONE)
			model_print(md, out);
	}
}

void check_dump_pta(const struct check_program *c, FILE *out)
{
	struct pta *p = pta_new(c->r.program, c->models);

	pta_dump(p, out);
	pta_free(p);
}

void check_dump_callgraph(const struct check_program *c, FILE *out)
{
	struct pta *p = pta_new(c->r.program, c->models);

	pta_dump_callgraph(p, out);
	pta_free(p);
}

void check_dump_mssa(const struct check_program *c, FILE *out)
{
	struct pta *p = pta_new(c->r.program, c->models);
	struct mssa *s = mssa_new(p);

	mssa_dump(s, out);
	mssa_free(s);
	pta_free(p);
}

static void dump_graph(const struct check_program *c, FILE *out, void (*dump)(struct vfg *, FILE *))
{
	struct pta *p = pta_new(c->r.program, c->models);
	struct mssa *s = mssa_new(p);
	struct vfg *g = vfg_new(s);

	dump(g, out);
	vfg_free(g);
	mssa_free(s);
	pta_free(p);
}

void check_dump_vfg(const struct check_program *c, FILE *out)
{
	dump_graph(c, out, vfg_dump);
}

void check_dump_guards(const struct check_program *c, FILE *out)
{
	dump_graph(c, out, vfg_dump_guards);
}

void check_dump_summaries(const struct check_program *c, FILE *out)
{
	struct pta *p = pta_new(c->r.program, c->models);
	struct path_options o = {0};
	struct path *path = path_new(c->r.program, c->models, p, &o);

	path_dump_summaries(path, out);
	path_free(path);
	pta_free(p);
}

void check_dump_coverage(const struct check_program *c, FILE *out)
{
	const struct engines_options o = { .values = true, .paths = true, .list = out };
	struct findings fs;

	findings_init(&fs);
	engines_run(&fs, c->r.program, c->models, &o);
	findings_release(&fs);
}
