/*
 * load.c - from a command line to a program and its models; what there is to say of these.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/sbuf.h"
#include "finding/finding.h"
#include "front/cache.h"
#include "model/suggest.h"

int load_program(struct check_program *p, struct load_options *l, const struct opt_result *args)
{
	diag_set_verbose(l->verbose);
	cache_allow(opt_is_safe);
	l->front.inputs = args->inputs;
	l->front.ninputs = args->ninputs;
	l->front.cflags = args->rest;
	l->front.ncflags = args->nrest;
	return check_load(p, &l->front, l->models.v, l->models.n);
}

enum { MAX_SUGGESTED = 4 };	/* on the one line; --verbose lists all */

void suggest_models(const struct check_program *p)
{
	struct model_suggestions s = {0};
	struct sbuf names = {0}, text = {0};
	uint32_t functions = 0;

	model_suggest(&s, p->r.program, p->models);
	for (uint32_t i = 0; i < s.n; i++) {
		functions += s.v[i].functions;
		if (i < MAX_SUGGESTED) {
			sbuf_printf(&names, "%s%s", i ? ", " : "", s.v[i].names);
			sbuf_printf(&text, " %s", s.v[i].text);
		}
	}
	if (s.n)
		diag_note("%u function%s without code or model %s: %s%s; if so, "
			  "put into a file for --model:%s",
			  functions, functions == 1 ? "" : "s",
			  functions == 1 ? "looks like an allocator" : "look like allocators",
			  sbuf_str(&names),
			  s.n > MAX_SUGGESTED ? ", ... (--verbose lists all)" : "", sbuf_str(&text));
	for (uint32_t i = MAX_SUGGESTED; i < s.n; i++)
		diag_verbose("%s: %s", s.v[i].names, s.v[i].text);
	sbuf_release(&names);
	sbuf_release(&text);
	model_suggestions_release(&s);
}

void report_failures(const struct front_result *r)
{
	for (uint32_t i = 0; i < r->failed.n; i++) {
		const struct front_failure *f = &r->failed.v[i];
		const char *rest = finding_failure_rest(f->file, f->error);

		diag_error("%s%s%s", f->file, rest ? "" : ": ", rest ? rest : f->error);
	}
	for (uint32_t i = 0; i < r->libraries.n; i++)
		diag_warn("%s: a library of the program is not analysed with it: %s",
			  r->libraries.v[i].name, r->libraries.v[i].why);
}
