/*
 * oblivious.h - failure-oblivious execution.  Inside libplumb-oblivious.so only.
 *
 *	oblivious.c		which faults are ours, and how to go on
 *	oblivious_decode.c	what an instruction does to memory (Zydis)
 *	oblivious_signal.c	the program's own handlers; counting
 */
#ifndef RUNTIME_OBLIVIOUS_H
#define RUNTIME_OBLIVIOUS_H

#include "unwind.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * oblivious_decode.c
 */

enum insn_kind {
	INSN_OTHER,
	INSN_STORE,		/* a plain move to memory */
	INSN_LOAD,		/* ... from memory to a general register */
	INSN_LOAD_VECTOR,	/* ... to an xmm register */
	INSN_REPEATED,		/* rep movs, rep stos and their like */
};

/* Registers are indices of gregs (REG_RAX, ...), -1 for none. */
struct oblivious_insn {
	enum insn_kind kind;
	unsigned length;
	int dest;		/* of a load; the number of an xmm register */
	unsigned dest_bits;
	bool dest_high;		/* ah, bh, ch, dh */
	int base, index;	/* of the memory operand */
	unsigned scale;
	int64_t disp;
	bool base_written;	/* the instruction also sets base */
};

void oblivious_decode_init(void);
/* False: that is no instruction with an operand in memory. */
bool oblivious_decode(struct oblivious_insn *out, uintptr_t pc);

/*
 * oblivious_signal.c
 */

typedef void oblivious_handler(int, siginfo_t *, void *);

/* Ours, from now on; the program's wish is kept. */
void oblivious_install(int sig, oblivious_handler *handler);
/* The handler that the program has installed, or NULL. */
const struct sigaction *oblivious_program_handler(int sig);
/* What would have happened without us: the program's handler, or the default. */
void oblivious_call_program(int sig, siginfo_t *info, void *context);

void oblivious_log_open(void);
/* The faults that are allowed in a second: those of the plan, or n. */
uint64_t oblivious_allowed(uint64_t n);
/* A fault at pc, which was overcome or not. */
void oblivious_count(uintptr_t pc, bool overcome);

#endif
