/*
 * hooks.c - an allocator in a variable, which others may replace.
 *
 *	void *(*my_malloc)(size_t) = malloc;
 *	void (*my_free)(void *) = free;
 *	void set_allocator(void *(*m)(size_t), void (*f)(void *)) { my_malloc = m; my_free = f; }
 *
 * Many libraries allocate that way (libxml2, curl, jansson).  The callee is not known then, and an engine
 * that takes it for unknown misses every leak.  But a function that replaces another one in such a variable
 * must do the same to memory as the first: that is what the variable is for.  So a call through the variable
 * becomes a call of a function that is named like the variable, with a star before the name, and has the
 * model of the first function; no engine needs to know of variables.
 *
 * A variable is a hook if
 *
 *   - it is only declared in the program, and there is a model of its name (xmlFree); or
 *   - its initial value is a function of a library, whose model makes or frees something.
 *
 * The partner of a hook of the program's own is the program's choice: the model of the hook names none, and
 * plumb fix looks for one.
 *
 * needs: the linked program, before any analysis; the models.
 * gives: the same program with calls of such functions; models of them in the set.
 *
 * Which way it errs: members of structs, and variables whose initial value is null or a function of the
 * program, are no hooks: leaks are missed.  If the program replaces an allocator by one whose memory need not
 * be freed, there are false alarms.
 */
#include "model/hooks.h"

#include "base/bits.h"
#include "ir/build.h"
#include "ir/io.h"
#include "ir/ir.h"

struct hooks {
	struct ir_module *m;
	struct model_set *models;
	struct bits asked;		/* the globals whose entry in func is final */
	uint32_t *func;			/* by global: the function to call instead; IR_NONE: it is no hook */
};

/* The variable that the callee is read from, or IR_NONE. */
static uint32_t variable_of(const struct ir_func *f, const struct ir_inst *call)
{
	const struct ir_inst *d = call->op == IR_CALL ? ir_def(f, call->ops[0]) : NULL;

	return d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_GLOBAL ? IR_IDX(d->ops[0]) : IR_NONE;
}

/* The model of the function that the variable begins as, or NULL. */
static const struct model *first_model(const struct hooks *h, const struct ir_global *g)
{
	bool is_pointer = !ir_is_declared(g->linkage) && g->ninits == 1 && g->size == sizeof(void *);
	const struct ir_func *f;

	if (!is_pointer || IR_KIND(g->inits[0].value) != IR_R_FUNC)
		return NULL;
	assert(IR_IDX(g->inits[0].value) < h->m->funcs.n);
	f = &h->m->funcs.v[IR_IDX(g->inits[0].value)];
	return ir_is_decl(f) ? model_find(h->models, f->name) : NULL;
}

static bool makes_or_frees(const struct model *md)
{
	return model_allocates(md) || model_frees(md, 1);
}

/* The text of a model under another name, with the partners that it names, or without. */
static char *print_as(const struct model *md, const char *name, bool partners, size_t *n)
{
	struct model_effect *effects = xcalloc(MAX(md->neffects, 1), sizeof(*effects));
	struct model copy = *md;
	char *text = NULL;
	FILE *f = open_memstream(&text, n);

	memcpy(effects, md->effects, md->neffects * sizeof(*effects));
	for (unsigned i = 0; i < md->neffects && !partners; i++)
		effects[i].value.nfreers = 0;
	copy.name = name;
	copy.override = false;
	copy.effects = effects;
	if (f)
		model_print(&copy, f);
	if (f && fclose(f) != 0) {
		free(text);
		text = NULL;
	}
	free(effects);
	return text;
}

/* Gives the function of this name the model of another one, if it has none yet. */
static bool add_model(struct hooks *h, const struct model *md, const char *name, bool partners)
{
	char *text;
	size_t n;
	bool ok;

	if (model_find(h->models, name))
		return true;
	text = print_as(md, name, partners, &n);
	ok = text && model_parse(h->models, text, n, "hook") == 0;
	assert(!ok || model_find(h->models, name));
	free(text);
	return ok;
}

/* Is the variable a hook?  Then the function of this name gets its model. */
static bool is_hook(struct hooks *h, const struct ir_global *g, const char *name)
{
	bool declared = ir_is_declared(g->linkage);
	const struct model *md = declared ? model_find(h->models, g->name) : first_model(h, g);

	return md && (declared || makes_or_frees(md)) && add_model(h, md, name, declared);
}

static uint8_t class_of(const struct ir_func *f, ir_ref r)
{
	const struct ir_inst *d = ir_def(f, r);

	if (IR_KIND(r) == IR_R_INT)
		return IR_C_INT;
	return d ? d->cls : IR_C_PTR;
}

/* The type of the function that a variable of this type points to; 0: it is no such pointer. */
static uint32_t pointed_function(const struct ir_module *m, uint32_t variable)
{
	uint32_t type = ir_type_strip(m, variable), elem;

	if (m->types.v[type].kind != IR_T_PTR)
		return 0;
	elem = ir_type_strip(m, m->types.v[type].elem);
	return m->types.v[elem].kind == IR_T_FUNC ? elem : 0;
}

/* A declaration with the parameters of a call. */
static uint32_t declare(struct hooks *h, const char *name, const struct ir_global *g, const struct ir_func *f,
			const struct ir_inst *call)
{
	uint32_t n = call->nops - 1, func = ir_add_func(h->m, name, IR_L_DECL);
	uint32_t type = pointed_function(h->m, g->type);
	struct ir_param *p = arena_calloc(&h->m->arena, MAX(n, 1), sizeof(*p));
	struct ir_func *to = &h->m->funcs.v[func];

	assert(call->op == IR_CALL && call->nops > 0);
	for (uint32_t k = 0; k < n; k++) {
		p[k].cls = class_of(f, call->ops[k + 1]);
		p[k].bits = 64;
	}
	to->nparams = n;
	to->params = p;
	to->ret_cls = call->cls;
	to->ret_bits = call->bits;
	to->src = g->src[0] ? g->src : g->name;
	to->unit = g->unit;
	if (type)
		to->type = type;
	return func;
}

/* The function to call instead of the one in the variable, or IR_NONE. */
static uint32_t function_of(struct hooks *h, uint32_t global, const struct ir_func *f,
			    const struct ir_inst *call)
{
	const struct ir_global *g = &h->m->globals.v[global];
	char *name;

	assert(global < h->m->globals.n);
	if (!bits_set(&h->asked, global))
		return h->func[global];
	name = xasprintf("*%s", g->name);
	if (is_hook(h, g, name)) {
		uint32_t old = ir_find_func(h->m, name);	/* a static one may have a namesake */

		h->func[global] = old == IR_NONE ? declare(h, name, g, f, call) : old;
	}
	free(name);
	return h->func[global];
}

void model_expand_hooks(struct ir_module *m, struct model_set *models)
{
	struct hooks h = { .m = m, .models = models };
	uint32_t nfuncs = m->funcs.n;

	h.func = xcalloc(MAX(m->globals.n, 1), sizeof(*h.func));
	memset(h.func, 0xff, m->globals.n * sizeof(*h.func));
	bits_init(&h.asked, m->globals.n);
	for (uint32_t i = 0; i < nfuncs; i++)
		for (uint32_t k = 0; k < m->funcs.v[i].ninsts; k++) {
			struct ir_func f = m->funcs.v[i];	/* a declaration may move the functions */
			uint32_t g = variable_of(&f, &f.insts[k]);
			uint32_t to = g == IR_NONE ? IR_NONE : function_of(&h, g, &f, &f.insts[k]);

			if (to != IR_NONE)
				f.insts[k].ops[0] = IR_REF(IR_R_FUNC, to);
		}
#ifdef PLUMB_DEBUG
	assert(ir_verify(m) == 0);
#endif
	free(h.func);
	bits_release(&h.asked);
}

bool model_is_of_hook(const char *function)
{
	return *function == '*';
}

bool model_is_hook(const char *function, const char *variable)
{
	return model_is_of_hook(function) && str_eq(function + 1, variable);
}
