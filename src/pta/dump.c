/*
 * dump.c - points-to sets and call graph as text: sorted, the same in every run.
 */
#include "pta/priv.h"

#include "base/file.h"
#include "base/sbuf.h"
#include "ir/io.h"

static void add_pos(const struct pta *p, uint32_t func, uint32_t inst, struct sbuf *out)
{
	const struct ir_pos *pos = &p->m->funcs.v[func].insts[inst].pos;
	const char *file = pos->file == IR_NONE ? "?" : path_base(p->m->files.v[pos->file]);

	sbuf_printf(out, "@%s:%u", file, pos->line);
}

/* What makes a heap object: the function called, or behind a pointer the allocator that the call came to. */
static const char *maker_name(const struct pta *p, const struct pta_obj *o)
{
	const struct ir_func *g = ir_callee(p->m, &p->m->funcs.v[o->func].insts[o->index]);

	if (g)
		return g->name;
	return o->root != IR_NONE ? p->m->funcs.v[o->root].name : "heap";
}

static void obj_name(const struct pta *p, uint32_t obj, struct sbuf *out)
{
	static const char *const blobs[] = { "*unknown*", "*library*", "*outside*" };
	const struct pta_obj *o = &p->objs.v[obj];
	const struct ir_func *f = o->func == IR_NONE ? NULL : &p->m->funcs.v[o->func];
	const struct ir_global *g;

	switch ((enum pta_okind)o->kind) {
	case PTA_GLOBAL:
		g = &p->m->globals.v[o->index];
		sbuf_adds(out, g->flags & IR_G_STRING ? "\"...\"" : g->name);
		break;
	case PTA_FUNC:
		sbuf_printf(out, "%s()", p->m->funcs.v[o->index].name);
		break;
	case PTA_SLOT:
		if (f->slots[o->index].name[0])
			sbuf_printf(out, "%s.%s", f->name, f->slots[o->index].name);
		else
			sbuf_printf(out, "%s.$%u", f->name, o->index);
		break;
	case PTA_HEAP:
	case PTA_VIEW:
		sbuf_adds(out, maker_name(p, o));
		add_pos(p, o->func, o->index, out);
		break;
	case PTA_VARARG:
		sbuf_printf(out, "%s(...)", f->name);
		break;
	case PTA_BLOB:
		assert(o->index < ARRAY_LEN(blobs));
		sbuf_adds(out, blobs[o->index]);
		break;
	}
}

void pta_loc_name(const struct pta *p, uint32_t loc, struct sbuf *out)
{
	const struct pta_loc *l = &p->locs.v[loc];

	obj_name(p, l->obj, out);
	if (l->layout != l->obj)
		sbuf_printf(out, "<%s>", p->m->types.v[p->objs.v[l->layout].type].name);
	if (p->locs.v[loc].off)
		sbuf_printf(out, "+%u", p->locs.v[loc].off);
}

static void dump_set(const struct pta *p, const struct sbits *set, FILE *f)
{
	struct sbuf b = {0};
	bool first = true;

	SBITS_FOREACH(loc, set) {
		sbuf_adds(&b, first ? "" : ", ");
		pta_loc_name(p, loc, &b);
		first = false;
	}
	fprintf(f, "{%s}\n", sbuf_str(&b));
	sbuf_release(&b);
}

static void dump_function(const struct pta *p, uint32_t func, FILE *out)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	const struct ssa *s = &p->ssa[func];

	fprintf(out, "%s:\n", f->name);
	for (uint32_t v = 0; v < s->nvalues; v++) {
		const struct sbits *set = pta_points_to(p, func, IR_VREG(v));

		if (!set->n || (v < f->nvregs && s->rep[v] != IR_VREG(v)))
			continue;
		fprintf(out, "  %%%u", v);
		if (s->var[v] != IR_NONE && f->slots[s->var[v]].name[0])
			fprintf(out, " %s", f->slots[s->var[v]].name);
		fprintf(out, " -> ");
		dump_set(p, set, out);
	}
}

void pta_dump(const struct pta *p, FILE *f)
{
	struct sbuf b = {0};

	for (uint32_t i = 0; i < p->m->funcs.n; i++)
		if (!ir_is_decl(&p->m->funcs.v[i]))
			dump_function(p, i, f);
	fprintf(f, "memory:\n");
	for (uint32_t l = 0; l < p->locs.n; l++) {
		if (!pta_cell(p, l)->n)
			continue;
		sbuf_clear(&b);
		pta_loc_name(p, l, &b);
		fprintf(f, "  %s -> ", sbuf_str(&b));
		dump_set(p, pta_cell(p, l), f);
	}
	sbuf_release(&b);
}

static const char *role(const struct pta_wrapper *w)
{
	if (!w)
		return "";
	return w->returns ? " [allocates]" : " [allocates through a parameter]";
}

void pta_dump_callgraph(const struct pta *p, FILE *f)
{
	for (uint32_t i = 0; i < p->m->funcs.n; i++) {
		const struct ir_func *fn = &p->m->funcs.v[i];
		const char *entry = p->entry[i] ? " [entry]" : "";
		const char *recursive = p->recursive[i] ? " [recursive]" : "";

		if (ir_is_decl(fn))
			continue;
		fprintf(f, "%s%s%s%s\n", fn->name, entry, recursive, role(p->wrapper[i]));
		for (uint32_t k = 0; k < fn->ninsts; k++) {
			struct pta_callees c;

			if (fn->insts[k].op != IR_CALL)
				continue;
			pta_callees(p, i, k, &c);
			SBITS_FOREACH(g, c.set)
				fprintf(f, "  %u: %s%s\n", fn->insts[k].pos.line, p->m->funcs.v[g].name,
					ir_callee(p->m, &fn->insts[k]) ? "" : " [indirect]");
			if (c.unknown)
				fprintf(f, "  %u: [unknown]\n", fn->insts[k].pos.line);
		}
		for (uint32_t k = 0; k < p->called_back[i].n; k++) {
			const struct pta_callback *cb = &p->called_back[i].v[k];

			fprintf(f, "  %u: %s [called back]\n", fn->insts[cb->inst].pos.line,
				p->m->funcs.v[cb->callee].name);
		}
	}
}
