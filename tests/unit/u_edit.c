/*
 * u_edit.c - does the editor put a statement where it is told to?
 *
 * The property: for every edge of every function of a source, the editor either refuses or
 * makes a text in which the statement is executed exactly when the edge is crossed, and in
 * which nothing else has changed.  It is checked on what the compiler makes of the edited text,
 * by a walk of its own over both functions: unconditional branches and the inserted calls
 * count as nothing, the value of a return may go through a variable plumb_ret*, all else must
 * be the same.  Then each inserted call must be passed by exactly the steps (instruction,
 * way out) that cross its edge.
 *
 * All edges of a source get their calls at once, which costs two compilations for a source
 * and also checks that insertions get along with each other.  In make test it runs over some
 * of tests/check and over sources below, which are about layout;
 *
 *	PLUMB_EDIT='FILE... [-- CFLAGS...]' u_edit hidden_files
 *
 * runs it over other files and tells how many edges were taken; with PLUMB_EDIT_DB=DIR their
 * flags are those of DIR/compile_commands.json, PLUMB_EDIT_WHY=1 tells why edges were refused,
 * PLUMB_EDIT_SHOW=1 prints the edits.
 */
#include "unit.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sbuf.h"
#include "edit/edit.h"
#include "front/front.h"
#include "ir/build.h"

#include <glob.h>

#define PROBE "plumb_probe"

/* ---- two functions in step ---- */

struct pass {
	uint32_t step, probe;
};

struct cross {
	uint32_t step, from, to;
};

struct twin {
	const struct ir_module *m, *mm;
	const struct ir_func *f, *g;
	uint32_t *same;		/* instruction of f -> of g */
	ir_ref *vreg;		/* vreg of g -> ref of f */
	uint32_t *slot;		/* slot of g -> of f; IR_NONE: a saved value */
	ir_ref *saved;		/* slot of g -> ref of f last stored */
	uint32_t steps;
	VEC(uint32_t) from, into;	/* of each step, instructions of f */
	VEC(uint32_t) todo;
	VEC(struct pass) passes;
	VEC(struct cross) crosses;
	const char *differs;
	uint32_t line;
};

static bool is_saved(const struct ir_slot *s)
{
	return str_starts(s->name, "plumb_ret");
}

/* A ref of g as one of f; false if there is none. */
static bool to_f(const struct twin *t, ir_ref b, ir_ref a)
{
	switch (IR_KIND(b)) {
	case IR_R_VREG:
		return t->vreg[IR_IDX(b)] == a;
	case IR_R_SLOT:
		return IR_KIND(a) == IR_R_SLOT && t->slot[IR_IDX(b)] == IR_IDX(a);
	case IR_R_GLOBAL:
		return IR_KIND(a) == IR_R_GLOBAL &&
		       str_eq(t->m->globals.v[IR_IDX(a)].src, t->mm->globals.v[IR_IDX(b)].src);
	case IR_R_FUNC:
		return IR_KIND(a) == IR_R_FUNC && str_eq(t->m->funcs.v[IR_IDX(a)].src, t->mm->funcs.v[IR_IDX(b)].src);
	case IR_R_INT:
		/* __LINE__ may change */
		return IR_KIND(a) == IR_R_INT;
	case IR_R_ADDR:
		return IR_KIND(a) == IR_R_ADDR;
	case IR_R_SPECIAL:
		return a == b;
	}
	return false;
}

/* Passes over what was inserted at instruction *at of g.  False: it is an instruction that counts. */
static bool inserted(struct twin *t, const struct ir_inst *in, uint32_t step)
{
	if (in->op == IR_CALL && in->nops == 2 && IR_KIND(in->ops[0]) == IR_R_FUNC &&
	    str_eq(t->mm->funcs.v[IR_IDX(in->ops[0])].src, PROBE)) {
		struct pass p = { step, (uint32_t)ir_int_value(t->mm, in->ops[1]) };

		vec_push(&t->passes, p);
		return true;
	}
	if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT && t->slot[IR_IDX(in->ops[0])] == IR_NONE) {
		ir_ref v = in->ops[1];

		t->saved[IR_IDX(in->ops[0])] = IR_KIND(v) == IR_R_VREG ? t->vreg[IR_IDX(v)] : v;
		return true;
	}
	if (in->op == IR_LOAD && IR_KIND(in->ops[0]) == IR_R_SLOT && t->slot[IR_IDX(in->ops[0])] == IR_NONE) {
		t->vreg[in->res] = t->saved[IR_IDX(in->ops[0])];
		return true;
	}
	return false;
}

static bool same_inst(struct twin *t, const struct ir_inst *a, const struct ir_inst *b)
{
	if (a->op != b->op || a->sub != b->sub || a->nops != b->nops || a->cls != b->cls || a->bits != b->bits ||
	    (a->res == IR_NONE) != (b->res == IR_NONE))
		return false;
	if (a->op != IR_PHI && a->ntargets != b->ntargets)
		return false;
	for (uint32_t i = 0; a->op != IR_PHI && i < (a->op == IR_SWITCH ? 1 : a->nops); i++)
		if (!to_f(t, b->ops[i], a->ops[i]))
			return false;
	if (b->res != IR_NONE)
		t->vreg[b->res] = IR_VREG(a->res);
	return true;
}

static void step(struct twin *t, uint32_t a, uint32_t p, uint32_t q)
{
	uint32_t no = t->steps++, loops = 0;

	if (a != IR_NONE && ir_is_term(&t->f->insts[a])) {
		struct cross c = { no, t->f->insts[a].block, t->f->insts[p].block };

		vec_push(&t->crosses, c);
	}
	while (p != IR_NONE && t->f->insts[p].op == IR_BR) {
		struct cross c = { no, t->f->insts[p].block, t->f->insts[p].targets[0] };

		vec_push(&t->crosses, c);
		p = loops++ > t->f->nblocks ? IR_NONE : t->f->blocks[c.to].first;
	}
	loops = 0;
	for (;;) {
		const struct ir_inst *in = &t->g->insts[q];

		if (in->op == IR_BR) {
			if (loops++ > t->g->nblocks) {
				q = IR_NONE;
				break;
			}
			q = t->g->blocks[in->targets[0]].first;
		} else if (inserted(t, in, no)) {
			q++;
		} else {
			break;
		}
	}
	vec_push(&t->from, a);
	vec_push(&t->into, p);
	if ((p == IR_NONE) != (q == IR_NONE)) {
		t->differs = "goes elsewhere";
	} else if (p != IR_NONE && t->same[p] == IR_NONE) {
		t->same[p] = q;
		vec_push(&t->todo, p);
	} else if (p != IR_NONE && t->same[p] != q) {
		t->differs = "joins elsewhere";
		t->line = t->f->insts[p].pos.line;
	}
}

static uint32_t way_out(const struct twin *t, const struct ir_inst *a, const struct ir_inst *b, uint32_t i)
{
	if (a->op == IR_SWITCH && i)
		for (uint32_t k = 1; k < b->nops; k++)
			if (ir_int_value(t->m, a->ops[i]) == ir_int_value(t->mm, b->ops[k]))
				return k;
	return i;
}

static void walk(struct twin *t)
{
	step(t, IR_NONE, 0, 0);
	while (t->todo.n && !t->differs) {
		uint32_t p = vec_pop(&t->todo);
		const struct ir_inst *a = &t->f->insts[p], *b = &t->g->insts[t->same[p]];

		t->line = a->pos.line;
		if (!same_inst(t, a, b))
			t->differs = "another instruction";
		else if (!ir_is_term(a))
			step(t, p, p + 1, t->same[p] + 1);
		else
			for (uint32_t i = 0; i < a->ntargets && !t->differs; i++)
				step(t, p, t->f->blocks[a->targets[i]].first, t->g->blocks[b->targets[way_out(t, a, b, i)]].first);
	}
}

static void twin_init(struct twin *t, const struct ir_module *m, const struct ir_func *f, const struct ir_module *mm,
		      const struct ir_func *g)
{
	uint32_t k = 0;

	*t = (struct twin){ .m = m, .mm = mm, .f = f, .g = g };
	t->same = xcalloc(f->ninsts, sizeof(*t->same));
	memset(t->same, 0xff, f->ninsts * sizeof(*t->same));
	t->vreg = xcalloc(MAX(g->nvregs, 1), sizeof(*t->vreg));
	for (uint32_t i = 0; i < g->nvregs; i++)
		t->vreg[i] = i < g->nparams ? IR_VREG(i) : IR_UNDEF;
	t->slot = xcalloc(MAX(g->nslots, 1), sizeof(*t->slot));
	t->saved = xcalloc(MAX(g->nslots, 1), sizeof(*t->saved));
	for (uint32_t i = 0; i < g->nslots; i++)
		t->slot[i] = is_saved(&g->slots[i]) ? IR_NONE : k++;
}

static void twin_release(struct twin *t)
{
	free(t->same);
	free(t->vreg);
	free(t->slot);
	free(t->saved);
	vec_release(&t->todo);
	vec_release(&t->from);
	vec_release(&t->into);
	vec_release(&t->passes);
	vec_release(&t->crosses);
}

/* ---- probes ---- */

struct probe {
	struct fix_plan plan;
	struct finding finding;
	char *text;
	bool taken;
	char *refused;
};

struct run {
	struct front_options o;
	struct front_result r;
	struct findings fs;
	struct fix_editor *e;
	VEC(struct probe *) probes;
	unsigned taken, refused, unmatched;
	bool verbose;
};

static void add_probe(struct run *run, uint32_t func, uint32_t from, uint32_t to)
{
	const struct ir_func *f = &run->r.program->funcs.v[func];
	struct probe *p = xcalloc(1, sizeof(*p));
	struct fix_insertion *in = vec_add(&p->plan.in, 1);
	struct finding_step *begin = vec_add(&p->finding.path, 1);

	/* no object is released: there is nothing between where it was allocated and the place */
	*begin = (struct finding_step){ .at = { .function = f->src, .line = f->pos.line } };
	for (uint32_t i = 0; i < f->ninsts; i++)
		begin->at.line = MAX(begin->at.line, f->insts[i].pos.line);

	p->text = xasprintf(PROBE "(%u);", run->probes.n);
	p->plan.finding = &p->finding;
	*in = (struct fix_insertion){ .where = FIX_EDGE, .func = func, .from = from, .to = to, .text = p->text };
	vec_push(&run->probes, p);
}

static void add_probes(struct run *run)
{
	const struct ir_module *m = run->r.program;

	for (uint32_t i = 0; i < m->funcs.n; i++) {
		const struct ir_func *f = &m->funcs.v[i];

		for (uint32_t b = 0; b < f->nblocks; b++)
			for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
				if (b == 0 || f->blocks[b].npred)
					add_probe(run, i, b, f->blocks[b].succ[k]);
	}
}

static void run_release(struct run *run)
{
	for (uint32_t i = 0; i < run->probes.n; i++) {
		struct probe *p = run->probes.v[i];

		vec_release(&p->plan.in);
		vec_release(&p->finding.path);
		vec_release(&p->finding.edits);
		free(p->text);
		free(p->refused);
		free(p);
	}
	vec_release(&run->probes);
	fix_editor_free(run->e);
	front_result_release(&run->r);
	findings_release(&run->fs);
}

/* Before a return it may also stand before the value is put where it is returned from, and if that
 * is a constant or a variable, before it is read. */
static void before_value(const struct twin *t, const struct bits *want, bool read, struct bits *out)
{
	for (uint32_t s = bits_next(want, 0); s != UINT32_MAX; s = bits_next(want, s + 1)) {
		uint32_t i = t->from.v[s];
		const struct ir_inst *in = i == IR_NONE ? NULL : &t->f->insts[i];

		/* where a clean-up goes on afterwards is noted, too */
		if (in && in->op == IR_STORE && i > t->f->blocks[in->block].first && IR_KIND(in->ops[1]) == IR_R_INT &&
		    IR_KIND(in->ops[0]) == IR_R_SLOT && t->f->slots[IR_IDX(in->ops[0])].flags == IR_S_TEMP)
			in = &t->f->insts[--i];
		if (!in || in->op != IR_STORE || IR_KIND(in->ops[0]) != IR_R_SLOT ||
		    !(t->f->slots[IR_IDX(in->ops[0])].flags & IR_S_RETVAL)) {
			bits_set(out, s);
			continue;
		}
		while (read && i > t->f->blocks[in->block].first &&
		       (t->f->insts[i - 1].op == IR_CAST ||
			(t->f->insts[i - 1].op == IR_LOAD && IR_KIND(t->f->insts[i - 1].ops[0]) == IR_R_SLOT &&
			 t->f->insts[i - 1].pos.line == in->pos.line && t->f->insts[i - 1].pos.col > in->pos.col)))
			i--;
		for (uint32_t k = 0; k < t->steps; k++)
			if (t->into.v[k] == i)
				bits_set(out, k);
	}
}

/* Is the probe passed by exactly the steps over its edge? */
static bool probe_right(const struct twin *t, const struct probe *p, uint32_t no)
{
	const struct fix_insertion *in = &p->plan.in.v[0];
	struct bits want, got, early, stored;
	bool ok;

	bits_init(&want, t->steps);
	bits_init(&early, t->steps);
	bits_init(&stored, t->steps);
	bits_init(&got, t->steps);
	for (uint32_t i = 0; i < t->crosses.n; i++)
		if (t->crosses.v[i].from == in->from && t->crosses.v[i].to == in->to)
			bits_set(&want, t->crosses.v[i].step);
	for (uint32_t i = 0; i < t->passes.n; i++)
		if (t->passes.v[i].probe == no)
			bits_set(&got, t->passes.v[i].step);
	before_value(t, &want, true, &early);
	before_value(t, &want, false, &stored);
	ok = bits_equal(&want, &got) || bits_equal(&early, &got) || bits_equal(&stored, &got);
	bits_release(&early);
	bits_release(&stored);
	bits_release(&want);
	bits_release(&got);
	return ok;
}

static const struct ir_func *find_func(const struct ir_module *mm, const char *src)
{
	for (uint32_t i = 0; i < mm->funcs.n; i++)
		if (!ir_is_decl(&mm->funcs.v[i]) && str_eq(mm->funcs.v[i].src, src))
			return &mm->funcs.v[i];
	return NULL;
}

/* Returns a struct by value: the saved copy is copied again, which the walk does not see through. */
static bool returns_struct(const struct ir_func *f)
{
	return f->ret_cls == IR_C_AGG || (f->nparams && f->params[0].sret);
}

static void check_func(struct run *run, const char *path, uint32_t func, const struct ir_module *mm)
{
	const struct ir_func *f = &run->r.program->funcs.v[func], *g = find_func(mm, f->src);
	struct twin t;

	CHECK(g);
	if (returns_struct(f))
		return;
	twin_init(&t, run->r.program, f, mm, g);
	walk(&t);
	if (t.differs)
		FAIL("%s: %s() near line %u: %s", path, f->src, t.line, t.differs);
	for (uint32_t i = 0; i < run->probes.n; i++) {
		const struct probe *p = run->probes.v[i];

		if (p->taken && p->plan.in.v[0].func == func && !probe_right(&t, p, i))
			FAIL("%s: %s(): probe %u is not on edge b%u -> b%u", path, f->src, i, p->plan.in.v[0].from,
			     p->plan.in.v[0].to);
	}
	twin_release(&t);
}

static const char *as_is(void *ctx, const char *path)
{
	UNUSED(ctx);
	return path;
}

/* Compiles the file with the taken probes and checks each function. */
static void check_together(struct run *run, const char *path, struct probe *const *v, uint32_t n)
{
	struct arena arena;
	struct fix_files files = {0};
	VEC(const struct fix_plan *) plans = {0};
	VEC(struct unit_text) texts = {0};
	struct front_again again = {0};

	arena_init(&arena);
	for (uint32_t i = 0; i < n; i++)
		if (v[i]->taken)
			vec_push(&plans, &v[i]->plan);
	fix_editor_apply(run->e, plans.v, plans.n, &arena, &files);
	for (uint32_t i = 0; i < files.n; i++) {
		struct unit_text x = { files.v[i].path, files.v[i].text, files.v[i].n };

		vec_push(&texts, x);
	}
	again.unit = run->r.parts.v[0].unit;
	again.unit.texts = texts.v;
	again.unit.ntexts = texts.n;
	CHECK(front_again(&again, 1, &run->o) == 0);
	if (!again.module || run->verbose) {
		struct sbuf b = {0};

		fix_diff(&b, &files, as_is, NULL);
		fputs(sbuf_str(&b), stdout);
		sbuf_release(&b);
	}
	if (!again.module)
		FAIL("%s: the edited text does not compile: %s", path, again.error);
	for (uint32_t i = 0; i < run->r.program->funcs.n; i++)
		if (!ir_is_decl(&run->r.program->funcs.v[i]))
			check_func(run, path, i, again.module);
	ir_module_free(again.module);
	free(again.error);
	vec_release(&plans);
	vec_release(&texts);
	fix_files_release(&files);
	arena_release(&arena);
}

static void edit_file(struct run *run, const char *path)
{
	char *inputs[] = { (char *)path };
	struct fix_plan *all;

	run->o.inputs = inputs;
	run->o.ninputs = 1;
	run->o.no_cache = run->o.keep_parts = true;
	findings_init(&run->fs);
	CHECK(front_load(&run->r, &run->o) == 0);
	if (!run->r.program)
		FAIL("%s: %s", path, run->r.failed.n ? run->r.failed.v[0].error : "?");
	run->e = fix_editor_new(&run->r, &run->o);
	add_probes(run);
	all = xcalloc(MAX(run->probes.n, 1), sizeof(*all));
	for (uint32_t i = 0; i < run->probes.n; i++)
		all[i] = run->probes.v[i]->plan;
	fix_editor_prepare(run->e, all, run->probes.n);
	free(all);
	for (uint32_t i = 0; i < run->probes.n; i++) {
		struct probe *p = run->probes.v[i];

		p->taken = fix_edit(run->e, &p->plan, &run->fs) == 0;
		if (!p->taken)
			p->refused = xstrdup(error_last());
		run->taken += p->taken;
		run->refused += !p->taken;
	}
	if (run->taken)
		check_together(run, path, run->probes.v, run->probes.n);
}

static void say_refused(const struct run *run)
{
	for (uint32_t i = 0; i < run->probes.n; i++) {
		const struct probe *p = run->probes.v[i];
		const struct fix_insertion *in = &p->plan.in.v[0];
		const struct ir_func *f = &run->r.program->funcs.v[in->func];
		const struct ir_block *b = &f->blocks[in->from];

		if (!p->taken)
			printf("  %s() b%u -> b%u (line %u): %s\n", f->src, in->from, in->to,
			       f->insts[b->first + b->n - 1].pos.line, p->refused);
	}
}

/* Every third of the annotated programs; the others differ little in shape. */
TEST(annotated_programs)
{
	unsigned taken = 0, refused = 0;
	glob_t g;

	CHECK(glob("tests/check/cf_*.c", 0, NULL, &g) == 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct run run = {0};

		edit_file(&run, g.gl_pathv[i]);
		taken += run.taken;
		refused += run.refused;
		run_release(&run);
	}
	globfree(&g);
	CHECK(taken > 2 * refused);
}

/* ---- sources about layout ---- */

static void edit_text(const char *text, size_t n, unsigned at_least)
{
	const char *dir = getenv("TMPDIR");
	char *path = xasprintf("%s/u_edit_%d.c", dir ? dir : "/tmp", (int)getpid());
	struct run run = {0};

	CHECK(file_write(path, text, n) == 0);
	edit_file(&run, path);
	if (run.taken < at_least) {
		say_refused(&run);
		FAIL("only %u of %u edges were taken", run.taken, run.probes.n);
	}
	run_release(&run);
	unlink(path);
	free(path);
}

#define EDIT(text, at_least) edit_text(text, sizeof(text) - 1, at_least)

/* Bodies without braces, one in the other, on one line and on several, with comments. */
TEST(bodies_without_braces)
{
	EDIT("int g(int);\n"
	     "int a(int n) {\n"
	     "\tif (n) g(1); else g(2);\n"
	     "\tif (n == 1) // why\n"
	     "\t\tg(3);\n"
	     "\telse if (n == 2) /* or */ g(4); /* end */\n"
	     "\telse\n"
	     "\t\tg(5); // last\n"
	     "\twhile (n--)\n"
	     "\t\tif (n == 7)\n"
	     "\t\t\tfor (int i = 0; i < n; i++)\n"
	     "\t\t\t\tif (i)\n"
	     "\t\t\t\t\tg(i);\n"
	     "\tdo g(6); while (g(7));\n"
	     "\tdo\n"
	     "\t\tg(8);\n"
	     "\twhile (g(9));\n"
	     "\treturn n;\n"
	     "}\n", 24);
}

/* An else must not go to the wrong if. */
TEST(dangling_else)
{
	EDIT("int g(int);\n"
	     "void a(int n) { if (n) if (n > 1) g(1); }\n"
	     "void b(int n)\n"
	     "{\n"
	     "    if (n)\n"
	     "        while (g(0))\n"
	     "            if (n > 1)\n"
	     "                g(1);\n"
	     "    if (n) { if (n > 2) g(2); } else if (n < 9) g(3);\n"
	     "}\n", 14);
}

TEST(switches)
{
	EDIT("int g(int);\n"
	     "int a(int n)\n"
	     "{\n"
	     "\tswitch (n) {\n"
	     "\tcase 1:\n"
	     "\tcase 2: g(1);\n"
	     "\tcase 3: case 4:\n"
	     "\t\tg(2);\n"
	     "\t\t/* falls through */\n"
	     "\tcase 5: { g(3); break; }\n"
	     "\tcase 6: return g(4);\n"
	     "\tcase 7: return 3;\n"
	     "\tcase 10 ... 14: g(5);\n"
	     "\t}\n"
	     "\tswitch (n) { case 1: g(6); break; default: g(7); }\n"
	     "\tswitch (n) case 8: g(8);\n"
	     "\tswitch (n)\n"
	     "\t{\n"
	     "\t\tcase 9:\n"
	     "\t\t\t__attribute__((fallthrough));\n"
	     "\t\tcase 10:\n"
	     "\t\t\tbreak;\n"
	     "\t}\n"
	     "\treturn 0;\n"
	     "}\n", 22);
}

TEST(jumps_and_labels)
{
	EDIT("int g(int);\n"
	     "int a(int n)\n"
	     "{\n"
	     "again:\n"
	     "\tif (g(1))\n"
	     "\t\tgoto out;\n"
	     "\tfor (;;) {\n"
	     "\t\tif (g(2)) continue;\n"
	     "\t\tif (g(3)) break; else if (g(4)) goto again;\n"
	     "\t\tif (g(5)) { inner: g(6); }\n"
	     "\t\tif (g(7)) single: g(8);\n"
	     "\t\tif (n == 8) goto inner;\n"
	     "\t\tif (n == 9) goto single;\n"
	     "\t}\n"
	     "\tdo { if (g(9)) break; } while (0);\n"
	     "\treturn g(10);\n"
	     "out:\n"
	     "\treturn n;\n"
	     "}\n", 22);
}

/* The value of a return is kept if a call could change it. */
TEST(returned_values)
{
	EDIT("struct s { int a; }; typedef int (*fn)(int);\n"
	     "int g(int); int v; extern struct s *p;\n"
	     "int a(int n) { if (n) return v; return n; }\n"
	     "int b(int n) { int k = 0; g((long)&k); if (n) return k; if (n > 1) return (p->a); return -1; }\n"
	     "fn c(int n) { if (n) return (fn)p; return 0; }\n"
	     "char *d(int n) { switch (n) { case 1: return (char *)p; case 2: return (char *)&v; } return \"x\"; }\n"
	     "const char *const e(int n)\n"
	     "{\n"
	     "  if (n)\n"
	     "    return n > 1 ? (char *)p : \"a\"\n"
	     "                              \"b\"; /* two */\n"
	     "  return 0;\n"
	     "}\n"
	     "int plumb_ret(int n) { if (n) return g(plumb_ret(n)); return g(2); }\n", 18);
}

/* GNU and other braces, blanks, CR LF, bytes of any kind, no newline at the end. */
TEST(styles)
{
	EDIT("int g(int);\r\n"
	     "int a (int n)\r\n"
	     "{\r\n"
	     "  if (n)\r\n"
	     "    {\r\n"
	     "      g (1); /* \303\244\344 */\r\n"
	     "    }\r\n"
	     "  else if (n > 1)\r\n"
	     "    g (2);\r\n"
	     "  while (n--)\r\n"
	     "    g (3);\r\n"
	     "  return n;\r\n"
	     "}\r\n"
	     "int b(int n)\r\n"
	     "{\r\n"
	     "   if (n)\r\n"
	     "   {\r\n"
	     "      g(1);\r\n"
	     "   }\r\n"
	     "   else\r\n"
	     "      g(2);\r\n"
	     "   if (n > 2)\r\n"
	     "      return 3;\r\n"
	     "   return g(\"\344/*\"[0]);}", 18);
}

/* Macros stay whole; what is between them can be reached. */
TEST(macros)
{
	EDIT("#define TRY(x) do { if (!(x)) return -1; } while (0)\n"
	     "#define EACH(i, n) for (int i = 0; i < (n); i++)\n"
	     "#define BEGIN {\n"
	     "#define END }\n"
	     "#define TWO g(1); g(2)\n"
	     "#define DONE g(3);\n"
	     "#define WRAP(s) do s while (0)\n"
	     "int g(int);\n"
	     "int a(int n)\n"
	     "{\n"
	     "\tTRY(n);\n"
	     "\tEACH(i, n)\n"
	     "\t\tg(i);\n"
	     "\tEACH(i, n) {\n"
	     "\t\tif (g(i)) TRY(i); else TWO;\n"
	     "\t\tDONE\n"
	     "\t}\n"
	     "\tif (n == 3) BEGIN g(4); if (g(5)) g(6); END\n"
	     "\tWRAP({ g(7); if (g(8)) g(9); });\n"
	     "\treturn ({ int k = g(10); if (k) g(11); k; });\n"
	     "}\n", 10);
}

/* Lines of the preprocessor are not cut apart. */
TEST(conditional_text)
{
	EDIT("int g(int);\n"
	     "int a(int n)\n"
	     "{\n"
	     "\tif (n)\n"
	     "#ifdef OTHER\n"
	     "\t\tg(1);\n"
	     "#else\n"
	     "\t\tg(2);\n"
	     "#endif\n"
	     "\tif (g(3)) {\n"
	     "#if 0\n"
	     "\t\tg(4);\n"
	     "#endif\n"
	     "\t\tg(5);\n"
	     "\t}\n"
	     "\tg(__LINE__);\n"
	     "\treturn n;\n"
	     "}\n", 3);
}

TEST(hidden_files)
{
	const char *list = getenv("PLUMB_EDIT");
	struct args words = {0};
	uint32_t n = 0;
	unsigned taken = 0, refused = 0;

	CHECK(list);
	args_split_shell(&words, list);
	while (n < words.n && !str_eq(words.v[n], "--"))
		n++;
	for (uint32_t i = 0; i < n; i++) {
		struct run run = {0};

		if (n < words.n) {
			run.o.cflags = words.v + n + 1;
			run.o.ncflags = words.n - n - 1;
		}
		run.o.compdb = getenv("PLUMB_EDIT_DB");
		run.verbose = getenv("PLUMB_EDIT_SHOW") != NULL;
		edit_file(&run, words.v[i]);
		printf("%s: %u edges, %u taken\n", words.v[i], run.probes.n, run.taken);
		if (getenv("PLUMB_EDIT_WHY"))
			say_refused(&run);
		taken += run.taken;
		refused += run.refused;
		run_release(&run);
	}
	printf("%u edges taken, %u refused\n", taken, refused);
	args_release(&words);
}
