/*
 * load.c - from a command line to a program and its models.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/sbuf.h"
#include "finding/finding.h"
#include "front/cache.h"
#include "model/format.h"
#include "model/hooks.h"
#include "model/suggest.h"

static int load_models(struct model_set **out, const struct ir_module *program, const struct opt_list *files)
{
	struct model_set *s = model_set_new();
	int ret;

	if ((ret = model_load_shipped(s)) < 0)
		goto done;
	for (uint32_t i = 0; program && i < program->models.n; i++) {
		const char *text = program->models.v[i];

		/* An attribute we read wrongly must not stop the analysis. */
		if (model_parse(s, text, strlen(text), "attribute") < 0)
			diag_warn("an ownership attribute was not understood: %s", error_last());
	}
	for (uint32_t i = 0; i < files->n; i++)
		if ((ret = model_parse_file(s, files->v[i])) < 0)
			goto done;
	*out = s;
	s = NULL;
done:
	model_set_free(s);
	return ret;
}

/* `override`: the model counts, not the body that the program happens to have. */
static void drop_overridden(struct ir_module *program, const struct model_set *models)
{
	for (uint32_t i = 0; i < program->funcs.n; i++) {
		struct ir_func *f = &program->funcs.v[i];
		const struct model *md = ir_is_decl(f) ? NULL : model_find(models, f->src);

		if (!md || !md->override)
			continue;
		f->nslots = f->nblocks = f->ninsts = f->nvregs = 0;
		f->linkage = IR_L_DECL;
	}
}

void prepare_program(struct ir_module *program, struct model_set *models)
{
	drop_overridden(program, models);
	model_expand_hooks(program, models);
	model_expand_formats(program, models);
}

enum { MAX_SUGGESTED = 4 };	/* on the one line; --verbose lists all */

void suggest_models(const struct ir_module *program, const struct model_set *models)
{
	struct model_suggestions s = {0};
	struct sbuf names = {0}, text = {0};
	uint32_t functions = 0;

	model_suggest(&s, program, models);
	for (uint32_t i = 0; i < s.n; i++) {
		functions += s.v[i].functions;
		if (i < MAX_SUGGESTED) {
			sbuf_printf(&names, "%s%s", i ? ", " : "", s.v[i].names);
			sbuf_printf(&text, " %s", s.v[i].text);
		}
	}
	if (s.n)
		diag_note("%u function%s without code or model %s: %s%s; if so, put into a file for --model:%s",
			  functions, functions == 1 ? "" : "s", functions == 1 ? "looks like an allocator" : "look like allocators",
			  sbuf_str(&names), s.n > MAX_SUGGESTED ? ", ... (--verbose lists all)" : "", sbuf_str(&text));
	for (uint32_t i = MAX_SUGGESTED; i < s.n; i++)
		diag_verbose("%s: %s", s.v[i].names, s.v[i].text);
	sbuf_release(&names);
	sbuf_release(&text);
	model_suggestions_release(&s);
}

/* The first function of the library of which nothing is known, and which the program calls; NULL: there is none. */
static const char *missed(const struct front_library *lib, const struct ir_module *program, const struct model_set *models)
{
	for (uint32_t i = 0; i < program->funcs.n; i++) {
		const struct ir_func *f = &program->funcs.v[i];

		if (ir_is_decl(f) && !model_find(models, f->name) && ir_exports(&lib->exports, f->name))
			return f->src;
	}
	return NULL;
}

/* A part of what was analysed that there is no code of: it was left out. */
static void fail_part(struct front_result *r, const struct front_library *lib, const char *function)
{
	struct front_failure f = { xstrdup(lib->name), xasprintf("%s() is in it, but not in its section .plumb: "
		"build all of it with CC=\"plumb cc\", or write a model for %s()", function, function) };

	vec_push(&r->failed, f);
}

/* Models stand for libraries that are not at hand. */
static void drop_modelled_libraries(struct front_result *r, const struct model_set *models)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < r->libraries.n; i++) {
		struct front_library *lib = &r->libraries.v[i];
		const char *function = missed(lib, r->program, models);

		if (function && lib->part)
			fail_part(r, lib, function);
		if (function && !lib->part)
			r->libraries.v[kept++] = *lib;
		else
			front_library_release(lib);
	}
	r->libraries.n = kept;
}

int load_program(struct front_result *r, struct model_set **models, struct load_options *l,
		 const struct opt_result *args)
{
	int ret;

	diag_set_verbose(l->verbose);
	cache_allow(opt_is_safe);
	l->front.inputs = args->inputs;
	l->front.ninputs = args->ninputs;
	l->front.cflags = args->rest;
	l->front.ncflags = args->nrest;
	if ((ret = front_load(r, &l->front)) < 0)
		return ret;
	if ((ret = load_models(models, r->program, &l->models)) < 0)
		front_result_release(r);
	if (ret == 0 && r->program) {
		prepare_program(r->program, *models);
		drop_modelled_libraries(r, *models);
	}
	return ret;
}

void report_failures(const struct front_result *r)
{
	for (uint32_t i = 0; i < r->failed.n; i++) {
		const struct front_failure *f = &r->failed.v[i];
		const char *rest = finding_failure_rest(f->file, f->error);

		diag_error("%s%s%s", f->file, rest ? "" : ": ", rest ? rest : f->error);
	}
	for (uint32_t i = 0; i < r->libraries.n; i++)
		diag_warn("%s: a library of the program is not analysed with it: %s", r->libraries.v[i].name, r->libraries.v[i].why);
}
