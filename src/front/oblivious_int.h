/*
 * oblivious_int.h - what oblivious.c and oblivious_loop.c share.
 */
#ifndef FRONT_OBLIVIOUS_INT_H
#define FRONT_OBLIVIOUS_INT_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* The annotation of a function, or of a variable in a loop's body: the loops of that function,
 * or that loop, get no bound. */
#define OBLIVIOUS_ENDLESS "plumb-endless"

struct rewrite_func {
	LLVMValueRef f;
	LLVMTypeRef type;
};

/* A module being rewritten. */
struct rewrite {
	LLVMContextRef ctx;
	LLVMModuleRef m;
	LLVMBuilderRef b;
	LLVMTargetDataRef layout;
	LLVMTypeRef ptr, i64, i32, none;
	struct rewrite_func bounds, load, store, change, copy, fill, enter, leave;
};

/* A function of the run-time library with n parameters. */
struct rewrite_func rewrite_declare(struct rewrite *r, const char *name, LLVMTypeRef result,
				    const LLVMTypeRef *params, unsigned n);
/* A call of it, where the builder stands. */
LLVMValueRef rewrite_call(struct rewrite *r, struct rewrite_func f, LLVMValueRef *args, unsigned n);

/* Is a constant, the text of an annotation, OBLIVIOUS_ENDLESS? */
int rewrite_is_endless(LLVMValueRef text);

/* Bounds the loops of a function. */
void rewrite_loops(struct rewrite *r, LLVMValueRef func);

#endif
