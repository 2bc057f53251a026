/*
 * prepare.c - from what the user names to a program that can be analysed, and its models.
 */
#include "check/prepare.h"

#include "base/diag.h"
#include "base/error.h"
#include "check/check.h"
#include "model/format.h"
#include "model/hooks.h"

static int load_models(struct model_set **out, const struct ir_module *program, const char *const *files,
		       uint32_t n)
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
	for (uint32_t i = 0; i < n; i++)
		if ((ret = model_parse_file(s, files[i])) < 0)
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

/* The first function of the library of which nothing is known, and which the program calls;
 * NULL: there is none. */
static const char *missed(const struct front_library *lib, const struct ir_module *program,
			  const struct model_set *models)
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
	char *why = xasprintf("%s() is in it, but not in its section .plumb: "
			      "build all of it with CC=\"plumb cc\", or write a model for %s()",
			      function, function);
	struct front_failure f = { xstrdup(lib->name), why };

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

int check_load(struct check_program *p, const struct front_options *o, const char *const *models,
	       uint32_t nmodels)
{
	int ret;

	p->o = o;
	if ((ret = front_load(&p->r, o)) < 0)
		return ret;
	if ((ret = load_models(&p->models, p->r.program, models, nmodels)) < 0)
		return ret;
	if (p->r.program) {
		prepare_program(p->r.program, p->models);
		drop_modelled_libraries(&p->r, p->models);
	}
	return 0;
}

void check_release(struct check_program *p)
{
	front_result_release(&p->r);
	model_set_free(p->models);
}
