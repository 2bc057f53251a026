/*
 * plan_acts.c - does a function do more than to release what it is given?
 *
 *	static void eat(char *s)			static void tmp_free(struct tmp *t)
 *	{						{
 *		total += s[0];					unlink(t->path);
 *		free(s);					free(t->path);
 *	}							free(t);
 *							}
 *
 * Where the program forgets such an object eat() would change what it computes, and with tmp_free() a file
 *would be gone.  That may be what was meant, or not: nobody knows.  So a function is inserted only if it
 *does nothing but release what hangs on the object. It does more if
 *
 *   - it, or what it calls, writes to memory that is neither its own, nor the object, nor released by it,
 *and that is read somewhere: anywhere in the program, but in functions that it calls itself and that return
 *nothing, or only to be written again (`n++`);
 *   - it prints, on every way, or, if it frees the object alone, on any; removes files; ends or waits for
 *processes and threads; unlocks what it has not locked; or closes a file by its number if the maker was
 *given a number, and keeps it: that is perhaps still used by who gave it.
 *
 * A count of what there is may go down: a global from which it subtracts, and to which the maker, or the
 *function that has the object, adds.  Who reads that behind the release is asked for at each place
 *(plan_write.c).
 *
 * What is done besides is asked, by name, of the function, those of the program that it calls and those that
 *these call: further down a log is written, or files of its own are renamed.  Which way it errs: what is
 *done deeper, by code outside of the program and of the lists below, is not seen; memory is told apart by
 *points-to sets, by whole objects: a refusal too many.
 */
#include "plan/priv.h"

#include "ir/expr.h"

static const char *const acts[] = {
	"unlink",	"unlinkat",	"remove",	  "rmdir",     "kill",	   "killpg",  "tgkill",
	"pthread_kill", "pthread_join", "pthread_cancel", "thrd_join", "wait",	   "waitpid", "waitid",
	"wait3",	"wait4",	"pclose",	  "sem_post",  "shutdown", "longjmp", NULL
};
static const char *const prints[] = { "printf",	      "vprintf",       "puts", "putchar",
				      "__printf_chk", "__vprintf_chk", NULL };
static const char *const locks[] = { "pthread_mutex_lock",
				     "pthread_mutex_trylock",
				     "pthread_mutex_timedlock",
				     "pthread_rwlock_rdlock",
				     "pthread_rwlock_wrlock",
				     "pthread_rwlock_tryrdlock",
				     "pthread_rwlock_trywrlock",
				     "pthread_spin_lock",
				     "pthread_spin_trylock",
				     "mtx_lock",
				     NULL };
static const char *const unlocks[] = { "pthread_mutex_unlock", "pthread_rwlock_unlock",
				       "pthread_spin_unlock", "mtx_unlock", NULL };

/* Is the instruction on every way through the function? */
static bool is_always(const struct fix_planner *pl, const struct ir_func *f, uint32_t inst)
{
	const struct ssa *ssa = pta_ssa(pl->p, (uint32_t)(f - pl->m->funcs.v));

	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_RET && !plan_comes_first(f, ssa, inst, i))
			return false;
	return true;
}

/* The function of a library of these names, if the function itself calls one; or NULL. */
static const char *called_of(const struct fix_planner *pl, const struct ir_func *f, const char *const *names)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = f->insts[i].op == IR_CALL ? ir_callee(pl->m, &f->insts[i]) : NULL;

		if (g && ir_is_decl(g) && plan_is_one_of(g->name, names))
			return g->src;
	}
	return NULL;
}

/* Is it given stdout? */
static bool is_to_stdout(const struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *call)
{
	for (uint32_t k = 1; k < call->nops; k++) {
		const struct ir_inst *d = ir_def(f, call->ops[k]);

		if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_GLOBAL &&
		    str_eq(pl->m->globals.v[IR_IDX(d->ops[0])].src, "stdout"))
			return true;
	}
	return false;
}

/* The function of a library by which the function itself prints; always: on every way. */
static const char *prints_by(const struct fix_planner *pl, const struct ir_func *f, bool always)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = f->insts[i].op == IR_CALL ? ir_callee(pl->m, &f->insts[i]) : NULL;

		if (g && ir_is_decl(g) &&
		    (plan_is_one_of(g->name, prints) || is_to_stdout(pl, f, &f->insts[i])) &&
		    (!always || is_always(pl, f, i)))
			return g->src;
	}
	return NULL;
}

/* Is a number that the maker is given stored where it can be found later? */
static bool keeps_number(const struct fix_planner *pl, uint32_t maker)
{
	const struct ir_func *f = &pl->m->funcs.v[maker];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		ir_ref r = in->op == IR_STORE && in->cls == IR_C_INT && in->bits == 32 &&
					   IR_KIND(in->ops[0]) != IR_R_SLOT
				   ? pta_origin(pl->p, maker, in->ops[1])
				   : IR_UNDEF;

		if (IR_KIND(r) == IR_R_VREG && IR_IDX(r) < f->nparams)
			return true;
	}
	return false;
}

/* ---- what it writes to -------------------------------------------------- */

/* The functions that may run when this one is called, with itself. */
static void find_below(struct fix_planner *pl, uint32_t func, struct bits *below)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct pta_callback *cb;
	uint32_t n;

	if (ir_is_decl(f) || !bits_set(below, func))
		return;
	n = pta_callbacks(pl->p, func, &cb);
	for (uint32_t i = 0; i < n; i++)
		find_below(pl, cb[i].callee, below);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct pta_callees to;

		if (f->insts[i].op != IR_CALL)
			continue;
		callees_of(pl, func, i, &to);
		SBITS_FOREACH(g, to.set)
			find_below(pl, g, below);
	}
}

/* What an address was taken of: through members, elements and casts. */
static ir_ref base_of(const struct fix_planner *pl, uint32_t func, ir_ref addr)
{
	const struct ir_inst *d;

	while ((d = ir_def(&pl->m->funcs.v[func], addr)) &&
	       (d->op == IR_COPY || d->op == IR_CAST || d->op == IR_FIELD || d->op == IR_ELEM ||
		d->op == IR_INDEX))
		addr = d->ops[0];
	return IR_KIND(addr) == IR_R_ADDR ? pl->m->addrs.v[IR_IDX(addr)].base : addr;
}

/* Memory as it is told apart here: by objects of the points-to analysis, globals by their own numbers behind
 * those. */
static uint32_t of_global(const struct fix_planner *pl, uint32_t global)
{
	return pta_nobjs(pl->p) + global;
}

/* The global that such a number is of, or IR_NONE. */
static uint32_t global_of(const struct fix_planner *pl, uint32_t mem)
{
	return mem < pta_nobjs(pl->p) ? IR_NONE : mem - pta_nobjs(pl->p);
}

static void add_points_to(const struct fix_planner *pl, uint32_t func, ir_ref addr, struct sbits *out)
{
	SBITS_FOREACH(l, pta_points_to(pl->p, func, addr)) {
		uint32_t obj = pta_loc(pl->p, l)->obj;
		const struct pta_obj *x = pta_obj(pl->p, obj);

		sbits_set(out, x->kind == PTA_GLOBAL ? of_global(pl, x->index) : obj);
	}
}

/* Adds the memory that an address may be in; not the function's own variables. */
static void add_memory(const struct fix_planner *pl, uint32_t func, ir_ref addr, struct sbits *out)
{
	ir_ref base = base_of(pl, func, addr);

	if (IR_KIND(base) == IR_R_GLOBAL)
		sbits_set(out, of_global(pl, IR_IDX(base)));
	else if (IR_KIND(base) != IR_R_SLOT)
		add_points_to(pl, func, addr, out);
}

/* The same for what an instruction writes to. */
static void add_written(const struct fix_planner *pl, uint32_t func, const struct ir_inst *in,
			struct sbits *out)
{
	const struct ir_func *g = in->op == IR_CALL ? ir_callee(pl->m, in) : NULL;
	const struct model *md = g ? pta_model(pl->p, (uint32_t)(g - pl->m->funcs.v)) : NULL;

	if (in->op == IR_STORE || in->op == IR_MEMCPY || in->op == IR_MEMSET)
		add_memory(pl, func, in->ops[0], out);
	for (uint32_t k = 1; md && k < in->nops; k++)
		if (model_writes(md, k) && !model_frees(md, k))
			add_memory(pl, func, in->ops[k], out);
}

/* And for what it reads. */
static void add_read(const struct fix_planner *pl, uint32_t func, const struct ir_inst *in, struct sbits *out)
{
	const struct ir_func *g = in->op == IR_CALL ? ir_callee(pl->m, in) : NULL;
	const struct model *md = g && ir_is_decl(g) ? pta_model(pl->p, (uint32_t)(g - pl->m->funcs.v)) : NULL;

	if (in->op == IR_LOAD || in->op == IR_MEMCPY)
		add_memory(pl, func, in->ops[in->op == IR_MEMCPY], out);
	for (uint32_t k = 1; g && ir_is_decl(g) && k < in->nops; k++)
		if (!md || !(model_only_sets(md, k) || model_frees(md, k)))
			add_memory(pl, func, in->ops[k], out);
}

/* Is the address that of a store the same as that of a load, wherever they stand in the function? */
static bool is_same_address(const struct ir_func *f, ir_ref a, ir_ref b)
{
	const struct ir_inst *d = ir_def(f, a), *e = ir_def(f, b);

	if (a == b || !d || !e || d->op != e->op || d->nops != e->nops || d->imm != e->imm ||
	    d->op == IR_CALL || d->op == IR_PHI)
		return a == b;
	for (uint32_t k = 0; k < d->nops; k++)
		if (!is_same_address(f, d->ops[k], e->ops[k]))
			return false;
	return true;
}

/* Is what was read only computed with, and written to where it was read from? */
static bool is_update(const struct ir_func *f, ir_ref from, uint32_t vreg)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			if (in->ops[k] != IR_VREG(vreg))
				continue;
			if (in->op == IR_STORE ? k == 0 || !is_same_address(f, in->ops[0], from)
					       : (in->op != IR_BIN && in->op != IR_CAST) ||
							 !is_update(f, from, in->res))
				return false;
		}
	}
	return true;
}

/* The global that a store counts up (1) or down (-1); 0: it does neither. */
static int counts(const struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *store)
{
	const struct ir_inst *d = store->op == IR_STORE ? ir_def(f, expr_uncast(f, store->ops[1])) : NULL,
			     *old;
	bool minus;

	if (!d || d->op != IR_BIN || (d->sub != IR_B_ADD && d->sub != IR_B_SUB) ||
	    (IR_KIND(store->ops[0]) != IR_R_GLOBAL && IR_KIND(store->ops[0]) != IR_R_ADDR))
		return 0;
	old = ir_def(f, expr_uncast(f, d->ops[0]));
	if (!old || old->op != IR_LOAD || old->ops[0] != store->ops[0])
		return 0;
	minus = IR_KIND(d->ops[1]) == IR_R_INT && ir_int_value(pl->m, d->ops[1]) < 0;
	return (d->sub == IR_B_SUB) != minus ? -1 : 1;
}

/* Does a function, or one that it calls, count such a global up? */
static bool counts_up(struct fix_planner *pl, const struct bits *below, ir_ref global)
{
	for (uint32_t g = bits_next(below, 0); g != UINT32_MAX; g = bits_next(below, g + 1))
		for (uint32_t i = 0; i < pl->m->funcs.v[g].ninsts; i++) {
			const struct ir_inst *in = &pl->m->funcs.v[g].insts[i];

			if (in->op == IR_STORE && in->ops[0] == global &&
			    counts(pl, &pl->m->funcs.v[g], in) > 0)
				return true;
		}
	return false;
}

/* Are all writes to a global counts that go down, of what the others count up? */
static bool is_count(struct fix_planner *pl, const struct bits *below, const struct bits *makers,
		     uint32_t mem)
{
	bool is = global_of(pl, mem) != IR_NONE;

	for (uint32_t g = bits_next(below, 0); g != UINT32_MAX && is; g = bits_next(below, g + 1))
		for (uint32_t i = 0; i < pl->m->funcs.v[g].ninsts && is; i++) {
			const struct ir_inst *in = &pl->m->funcs.v[g].insts[i];
			struct sbits to = {0};

			add_written(pl, g, in, &to);
			is = !sbits_test(&to, mem) ||
			     (counts(pl, &pl->m->funcs.v[g], in) < 0 && counts_up(pl, makers, in->ops[0]));
			sbits_release(&to);
		}
	return is;
}

/* Is it looked at, elsewhere? */
static bool is_looked_at(const struct fix_planner *pl, const struct bits *below, uint32_t mem)
{
	const struct ir_module *m = pl->m;

	for (uint32_t g = 0; g < m->funcs.n; g++) {
		const struct ir_func *f = &m->funcs.v[g];
		const struct ir_type *t = &m->types.v[f->type];
		bool silent = bits_test(below, g) && t->kind == IR_T_FUNC &&
			      m->types.v[ir_type_strip(m, t->elem)].kind == IR_T_VOID;

		for (uint32_t i = 0; i < f->ninsts && !silent; i++) {
			const struct ir_inst *in = &f->insts[i];
			struct sbits from = {0};
			bool read;

			add_read(pl, g, in, &from);
			read = sbits_test(&from, mem) && !(in->op == IR_LOAD && in->res != IR_NONE &&
							   is_update(f, in->ops[0], in->res));
			sbits_release(&from);
			if (read)
				return true;
		}
	}
	return false;
}

/* Is it no variable of one of these functions, nor unknown? */
static bool is_others(const struct fix_planner *pl, const struct bits *below, uint32_t mem)
{
	const struct pta_obj *x = global_of(pl, mem) == IR_NONE ? pta_obj(pl->p, mem) : NULL;

	return !x || x->kind == PTA_HEAP || (x->kind == PTA_SLOT && !bits_test(below, x->func));
}

/* What it writes to that is not its own, and that is looked at elsewhere: found once. */
static const struct plan_writes *writes_of(struct fix_planner *pl, uint32_t func)
{
	struct plan_writes *w;
	struct sbits all = {0}, given = {0};

	if (!pl->writes)
		pl->writes = xcalloc(MAX(pl->m->funcs.n, 1), sizeof(*pl->writes));
	if (pl->writes[func])
		return pl->writes[func];
	w = pl->writes[func] = arena_calloc(&pl->arena, 1, sizeof(*w));
	bits_init(&w->below, pl->m->funcs.n);
	find_below(pl, func, &w->below);
	for (uint32_t g = bits_next(&w->below, 0); g != UINT32_MAX; g = bits_next(&w->below, g + 1))
		for (uint32_t i = 0; i < pl->m->funcs.v[g].ninsts; i++)
			add_written(pl, g, &pl->m->funcs.v[g].insts[i], &all);
	for (uint32_t k = 0; k < pl->m->funcs.v[func].nparams; k++)
		add_points_to(pl, func, IR_VREG(k), &given);
	sbits_minus(&all, &given);
	sbits_minus(&all, &pl->fx[func].freed);
	SBITS_FOREACH(x, &all)
		if (is_others(pl, &w->below, x) && is_looked_at(pl, &w->below, x))
			sbits_set(&w->mem, x);
	sbits_release(&all);
	sbits_release(&given);
	return w;
}

void acts_release(struct fix_planner *pl)
{
	for (uint32_t g = 0; pl->writes && g < pl->m->funcs.n; g++)
		if (pl->writes[g]) {
			bits_release(&pl->writes[g]->below);
			sbits_release(&pl->writes[g]->mem);
		}
	free(pl->writes);
}

/* ---- both ------------------------------------------------------------------ */

struct step {
	uint32_t func, depth;
};

/* The function of a library by which it does something that is seen outside; or NULL. */
static const char *acts_outside(const struct fix_planner *pl, uint32_t func, uint32_t maker)
{
	static const char *const close[] = { "close", NULL };
	bool alone = alone_is_all(pl, func),
	     number = maker != IR_NONE && !ir_is_decl(&pl->m->funcs.v[maker]) && keeps_number(pl, maker);
	const char *what = NULL, *unlocked = NULL;
	bool locked = false;
	VEC(struct step) todo = {0};
	struct bits seen;

	bits_init(&seen, pl->m->funcs.n + 1);
	bits_set(&seen, func);
	vec_push(&todo, ((struct step){ func, 0 }));
	while (todo.n && !what) {
		struct step at = vec_pop(&todo);
		const struct ir_func *f = &pl->m->funcs.v[at.func];

		what = called_of(pl, f, acts);
		if (!what)
			what = prints_by(pl, f, !alone);
		locked |= called_of(pl, f, locks) != NULL;
		if (!unlocked)
			unlocked = called_of(pl, f, unlocks);
		if (!what && number)
			what = called_of(pl, f, close);
		for (uint32_t i = 0; i < f->ninsts && !what && at.depth < 2; i++) {
			const struct ir_func *to =
				f->insts[i].op == IR_CALL ? ir_callee(pl->m, &f->insts[i]) : NULL;

			if (to && !ir_is_decl(to) && bits_set(&seen, (uint32_t)(to - pl->m->funcs.v)))
				vec_push(&todo,
					 ((struct step) { (uint32_t)(to - pl->m->funcs.v), at.depth + 1 }));
		}
	}
	vec_release(&todo);
	bits_release(&seen);
	return what || locked ? what : unlocked;
}

const char *acts_besides(struct fix_planner *pl, uint32_t func, uint32_t maker, uint32_t user,
			 struct arena *arena)
{
	const char *name = pl->m->funcs.v[func].src, *what;
	const struct plan_writes *w;
	struct bits makers;
	uint32_t other = IR_NONE;

	if (ir_is_decl(&pl->m->funcs.v[func]))
		return NULL;
	if ((what = acts_outside(pl, func, maker)))
		return arena_printf(arena, "%s() does more than to release: it calls %s()", name, what);
	w = writes_of(pl, func);
	bits_init(&makers, pl->m->funcs.n);
	if (maker != IR_NONE)
		find_below(pl, maker, &makers);
	if (user != IR_NONE)
		bits_set(&makers, user);
	SBITS_FOREACH(x, &w->mem)
		if (other == IR_NONE && !is_count(pl, &w->below, &makers, x))
			other = x;
	bits_release(&makers);
	if (other == IR_NONE)
		return NULL;
	if (global_of(pl, other) != IR_NONE)
		return arena_printf(arena,
				    "%s() does more than to release: it sets `%s`, which is read elsewhere",
				    name, pl->m->globals.v[global_of(pl, other)].src);
	return arena_printf(arena, "%s() does more than to release: it changes what others look at", name);
}
