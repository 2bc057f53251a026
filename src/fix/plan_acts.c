/*
 * plan_acts.c - does a destructor do something that is seen outside, besides to release?
 *
 *	static void tmp_free(struct tmp *t)
 *	{
 *		unlink(t->path);
 *		free(t->path);
 *		free(t);
 *	}
 *
 * On a way that forgets a `struct tmp` the file stays; with tmp_free(t) it is gone.  That may be what was meant, or the way is one on which the file
 * is to be kept: nobody knows.  So one that removes files, ends or waits for processes and threads, prints on every way, or unlocks what it has not
 * locked is not called, though the function may call it on another way.  Nor is one that closes a file by its number if the maker was given a number, and
 * keeps it: that is perhaps still used by who gave it.
 *
 * Asked, by name, of the destructor, the functions of the program that it calls and those that these call: further down a log is written, or files of
 * its own are renamed.  Which way it errs: what is done deeper, through pointers, by code outside of the program and of the lists below, or by
 * reference counts of its own, is not seen.
 */
#include "fix/plan.h"

static const char *const acts[] = { "unlink", "unlinkat", "remove", "rmdir", "kill", "killpg", "tgkill", "pthread_kill",
	"pthread_join", "pthread_cancel", "thrd_join", "wait", "waitpid", "waitid", "wait3", "wait4", "pclose",
	"sem_post", "shutdown", "longjmp", NULL };
static const char *const prints[] = { "printf", "vprintf", "puts", "putchar", "__printf_chk", "__vprintf_chk", NULL };
static const char *const locks[] = { "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_rwlock_rdlock",
	"pthread_rwlock_wrlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock", "pthread_spin_lock", "pthread_spin_trylock", "mtx_lock", NULL };
static const char *const unlocks[] = { "pthread_mutex_unlock", "pthread_rwlock_unlock", "pthread_spin_unlock", "mtx_unlock", NULL };

/* Is the instruction on every way through the function? */
static bool is_always(const struct fix_planner *pl, const struct ir_func *f, uint32_t inst)
{
	const struct ssa *ssa = pta_ssa(pl->p, (uint32_t)(f - pl->m->funcs.v));

	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_RET && !plan_comes_first(f, ssa, inst, i))
			return false;
	return true;
}

/* The function of a library that one of these is called, in the function itself; always: on every way.  NULL: none. */
static const char *called_of(const struct fix_planner *pl, const struct ir_func *f, const char *const *names, bool always)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = f->insts[i].op == IR_CALL ? ir_callee(pl->m, &f->insts[i]) : NULL;

		if (g && ir_is_decl(g) && plan_is_one_of(g->name, names) && (!always || is_always(pl, f, i)))
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
		ir_ref r = in->op == IR_STORE && in->cls == IR_C_INT && in->bits == 32 && IR_KIND(in->ops[0]) != IR_R_SLOT ? pta_origin(pl->p, maker, in->ops[1]) : IR_UNDEF;

		if (IR_KIND(r) == IR_R_VREG && IR_IDX(r) < f->nparams)
			return true;
	}
	return false;
}

struct step {
	uint32_t func, depth;
};

const char *acts_outside(struct fix_planner *pl, uint32_t func, uint32_t maker)
{
	static const char *const close[] = { "close", NULL };
	bool number = maker != IR_NONE && !ir_is_decl(&pl->m->funcs.v[maker]) && keeps_number(pl, maker);
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

		what = called_of(pl, f, acts, false);
		if (!what)
			what = called_of(pl, f, prints, true);
		locked |= called_of(pl, f, locks, false) != NULL;
		if (!unlocked)
			unlocked = called_of(pl, f, unlocks, false);
		if (!what && number)
			what = called_of(pl, f, close, false);
		for (uint32_t i = 0; i < f->ninsts && !what && at.depth < 2; i++) {
			const struct ir_func *to = f->insts[i].op == IR_CALL ? ir_callee(pl->m, &f->insts[i]) : NULL;

			if (to && !ir_is_decl(to) && bits_set(&seen, (uint32_t)(to - pl->m->funcs.v)))
				vec_push(&todo, ((struct step){ (uint32_t)(to - pl->m->funcs.v), at.depth + 1 }));
		}
	}
	vec_release(&todo);
	bits_release(&seen);
	return what || locked ? what : unlocked;
}
