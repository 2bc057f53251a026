/*
 * prune.c - forgets the layouts that a unit does not use.
 *
 * A unit knows every struct of every header it includes, if only some pointer
 * leads there.  Of most it uses no more than the tag.  Their members take more
 * room in the IR of a small unit than its code, and once linked they are there
 * again from the units that do use them (linktypes.c): so they are dropped here,
 * and the struct becomes a declared one.
 *
 * A layout is used if a variable has the type or points to it, through any number
 * of pointers and arrays; if a FIELD names it; and if it is part of a used one.
 * What only a member or a parameter points to is not.  A struct without tag is
 * left as it is, since nothing would find its definition again.
 */
#include "ir/io.h"

#include "ir/priv.h"

struct pruner {
	struct ir_module *m;
	bool *used;
	VEC(uint32_t) todo;	/* used, parts not yet looked at */
};

static void use(struct pruner *p, uint32_t type)
{
	if (!p->used[type]) {
		p->used[type] = true;
		vec_push(&p->todo, type);
	}
}

static bool is_struct(const struct ir_type *t)
{
	return t->kind == IR_T_STRUCT || t->kind == IR_T_UNION;
}

/* The type at the end of pointers, arrays and typedefs. */
static uint32_t base_type(const struct ir_module *m, uint32_t type)
{
	for (uint32_t i = 0; i < m->types.n; i++) {
		const struct ir_type *t = &m->types.v[type];

		if (t->kind != IR_T_PTR && t->kind != IR_T_ARRAY && t->kind != IR_T_TYPEDEF)
			return type;
		type = t->elem;
	}
	return 0;
}

/* A variable's type. */
static void use_variable(struct pruner *p, uint32_t type)
{
	use(p, base_type(p->m, type));
}

/* What a used type is made of. */
static void use_parts(struct pruner *p, const struct ir_type *t)
{
	if (t->kind == IR_T_ARRAY || t->kind == IR_T_TYPEDEF)
		use(p, t->elem);
	for (uint32_t i = 0; is_struct(t) && i < t->nfields; i++) {
		const struct ir_type *f = &p->m->types.v[t->fields[i].type];

		if (f->kind != IR_T_PTR)
			use(p, t->fields[i].type);
	}
}

static void use_body(struct pruner *p, const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->nslots; i++)
		use_variable(p, f->slots[i].type);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].type)
			use_variable(p, f->insts[i].type);
}

void ir_prune(struct ir_module *m)
{
	struct pruner p = { .m = m, .used = xcalloc(m->types.n, sizeof(bool)) };

	for (uint32_t i = 0; i < m->types.n; i++)
		if (is_struct(&m->types.v[i]) && !*m->types.v[i].name)
			use(&p, i);
	for (uint32_t i = 0; i < m->globals.n; i++)
		use_variable(&p, m->globals.v[i].type);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		use_body(&p, &m->funcs.v[i]);
	while (p.todo.n)
		use_parts(&p, &m->types.v[vec_pop(&p.todo)]);
	for (uint32_t i = 0; i < m->types.n; i++) {
		struct ir_type *t = &m->types.v[i];

		if (!is_struct(t) || p.used[i])
			continue;
		t->flags |= IR_TF_DECL;
		t->nfields = 0;
		t->fields = NULL;
		t->size = 0;
	}
	free(p.used);
	vec_release(&p.todo);
}
