/*
 * oblivious.c - failure-oblivious execution: on after an access through a null or a
 * wild pointer (libplumb-oblivious.so, preloaded by `plumb run --oblivious`).
 *
 * After Rinard and others, "Enhancing Server Availability and Security Through
 * Failure-Oblivious Computing", as used in section 3.5 of Nguyen and Rinard: stores
 * that cannot be made are discarded, loads give zero, and control flow goes on.  They
 * compile the checks in; we take the fault, so that any binary can be run.
 *
 * What is done with the instruction that faulted:
 *
 *	a plain move		skipped; a register that it loads becomes zero
 *	inside a leaf function of libc (mem*, str*)
 *				the function returns zero: it would fault in a loop
 *	a repeated string instruction
 *				skipped, with its count as if it had finished
 *	a call or jump to nowhere
 *				returns zero to its caller
 *	everything else		its memory operand is moved to a page of zeros and it
 *				is stepped over: flags and results are as with a zero
 *
 * Which faults are ours?  Not those that somebody has sent (kill).  If the program has
 * a handler of its own, it gets what it may be waiting for: faults on mapped but
 * protected pages, and wild addresses, until it has returned from the same fault three
 * times in vain.  A handler that is installed to run once (SA_RESETHAND) reports
 * crashes and is not called.  A null pointer is always ours.
 *
 * More than FAULTS_PER_SECOND (or what the plan says), and the program is taken to be beyond help: the fault
 * happens as it would have without us.
 *
 * x86-64 only.  Nothing here allocates; all of it runs in a signal handler.
 */
#include "oblivious.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define FAULTS_PER_SECOND 20000
#define NULL_PAGES 65536	/* addresses below: through a null pointer */
#define IN_VAIN 3
#define TRAP_FLAG 0x100

static uint8_t scratch[2 * 4096] __attribute__((aligned(4096)));
static uintptr_t libc_start, libc_end;

/* An instruction being stepped over. */
static __thread struct {
	bool active;
	int reg;		/* in gregs; its value is put back afterwards */
	greg_t value;
} step;

/* The last fault that the program's own handler was given. */
static __thread struct {
	uintptr_t pc, addr;
	unsigned count;
} given;

/*
 * The limit
 */

static bool within_limit(void)
{
	static _Atomic long second;
	static _Atomic unsigned count;
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	if (atomic_exchange(&second, t.tv_sec) != t.tv_sec)
		atomic_store(&count, 0);
	return atomic_fetch_add(&count, 1) < oblivious_allowed(FAULTS_PER_SECOND);
}

/*
 * Ways to go on
 */

/* Returns zero from the function that the call at the top of the stack went into. */
static bool return_zero(greg_t *r, uintptr_t ra_at)
{
	struct dl_find_object o;
	uintptr_t ra;

	if (ra_at % 8 != 0)
		return false;
	ra = *(uintptr_t *)ra_at;
	if (_dl_find_object((void *)(ra - 1), &o) != 0)
		return false;
	r[REG_RIP] = (greg_t)ra;
	r[REG_RSP] = (greg_t)(ra_at + 8);
	r[REG_RAX] = 0;
	return true;
}

/* In a leaf function of libc: back to its caller. */
static bool leave_libc(greg_t *r)
{
	uintptr_t pc = (uintptr_t)r[REG_RIP];

	if (pc - libc_start >= libc_end - libc_start || !unwind_is_bare(pc))
		return false;
	return return_zero(r, (uintptr_t)r[REG_RSP]);
}

static void zero_vector(ucontext_t *uc, unsigned number)
{
	if (uc->uc_mcontext.fpregs != NULL && number < 16)
		memset(&uc->uc_mcontext.fpregs->_xmm[number], 0, 16);
}

/* A plain move: skipped. */
static bool skip_move(ucontext_t *uc, const struct oblivious_insn *i)
{
	greg_t *r = uc->uc_mcontext.gregs;

	switch (i->kind) {
	case INSN_STORE:
		break;
	case INSN_LOAD:
		if (i->dest_bits >= 32)
			r[i->dest] = 0;
		else if (i->dest_high)
			r[i->dest] &= ~(greg_t)0xff00;
		else
			r[i->dest] &= ~(((greg_t)1 << i->dest_bits) - 1);
		break;
	case INSN_LOAD_VECTOR:
		zero_vector(uc, (unsigned)i->dest);
		break;
	default:
		return false;
	}
	r[REG_RIP] += i->length;
	return true;
}

/* Moves the memory operand to the page of zeros and steps over the instruction. */
static bool redirect(ucontext_t *uc, const struct oblivious_insn *i, uintptr_t addr)
{
	greg_t *r = uc->uc_mcontext.gregs;
	uintptr_t target = (uintptr_t)scratch + 2048;

	if (i->base < 0 || i->base == REG_RSP || step.active)
		return false;
	memset(scratch, 0, sizeof(scratch));
	step.active = true;
	step.reg = i->base_written ? -1 : i->base;
	step.value = r[i->base];
	r[i->base] = (greg_t)((uintptr_t)r[i->base] + target - addr);
	r[REG_EFL] |= TRAP_FLAG;
	return true;
}

static bool skip_repeated(ucontext_t *uc, const struct oblivious_insn *i)
{
	greg_t *r = uc->uc_mcontext.gregs;

	if (i->kind != INSN_REPEATED)
		return false;
	r[REG_RCX] = 0;
	r[REG_RIP] += i->length;
	return true;
}

/* The address that an instruction meant; the kernel tells none for those that are not
 * canonical. */
static uintptr_t operand_address(const greg_t *r, const struct oblivious_insn *i)
{
	uintptr_t a = (uintptr_t)i->disp;

	if (i->base >= 0)
		a += (uintptr_t)r[i->base];
	if (i->index >= 0)
		a += (uintptr_t)r[i->index] * i->scale;
	return a;
}

static bool go_on(ucontext_t *uc, const siginfo_t *info)
{
	greg_t *r = uc->uc_mcontext.gregs;
	uintptr_t pc = (uintptr_t)r[REG_RIP];
	struct oblivious_insn insn;
	struct dl_find_object o;

	if (_dl_find_object((void *)pc, &o) != 0)	/* no code here */
		return (uintptr_t)info->si_addr == pc || info->si_code == SI_KERNEL ?
			       return_zero(r, (uintptr_t)r[REG_RSP]) : false;
	if (leave_libc(r))
		return true;
	if (!oblivious_decode(&insn, pc))
		return false;
	return skip_move(uc, &insn) || skip_repeated(uc, &insn) ||
	       redirect(uc, &insn, operand_address(r, &insn));
}

/*
 * The handlers
 */

static bool is_theirs(const siginfo_t *info, uintptr_t pc)
{
	const struct sigaction *own = oblivious_program_handler(info->si_signo);
	uintptr_t addr = (uintptr_t)info->si_addr;

	if (info->si_code <= 0)
		return true;
	if (own == NULL || (own->sa_flags & SA_RESETHAND) != 0)
		return false;
	if (addr < NULL_PAGES && info->si_code != SI_KERNEL)
		return false;
	if (given.pc != pc || given.addr != addr) {
		given.pc = pc;
		given.addr = addr;
		given.count = 0;
	}
	return given.count++ < IN_VAIN;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	uintptr_t pc = (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
	int saved = errno;

	if (is_theirs(info, pc)) {
		oblivious_call_program(sig, info, context);
	} else if (within_limit() && go_on(uc, info)) {
		oblivious_count(pc, true);
	} else {
		oblivious_count(pc, false);
		oblivious_call_program(sig, info, context);
	}
	errno = saved;
}

static void on_step(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	if (!step.active) {
		oblivious_call_program(sig, info, context);
		return;
	}
	uc->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	if (step.reg >= 0)
		uc->uc_mcontext.gregs[step.reg] = step.value;
	step.active = false;
}

static int find_libc(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *base = strrchr(info->dlpi_name, '/');

	(void)size;
	(void)data;
	if (strncmp(base ? base + 1 : info->dlpi_name, "libc.so", 7) != 0)
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
			libc_start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			libc_end = libc_start + info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

__attribute__((constructor(110))) static void start(void)
{
	dl_iterate_phdr(find_libc, NULL);
	oblivious_decode_init();
	oblivious_log_open();
	oblivious_install(SIGSEGV, on_fault);
	oblivious_install(SIGBUS, on_fault);
	oblivious_install(SIGTRAP, on_step);
}
