/*
 * oblivious.c - accesses to the heap are checked before they are made.
 *
 * Nguyen and Rinard, section 3.5, for programs with source: stores out of bounds are
 * left out, loads get a made-up value.  Before each access whose address may be in the
 * heap a call is inserted that gives the address to use (runtime/guard.c):
 *
 *	store i32 %v, ptr %p  ->  %b = call { i64, i64 } @plumb_guard_bounds(ptr %base)
 *				  %q = call ptr @plumb_guard_store(ptr %base, ptr %p, i64 4, %b...)
 *				  store i32 %v, ptr %q
 *
 * The base is the value from which the address was computed, through getelementptr and
 * through phis that have one origin (a pointer that steps through an array): the bounds
 * are those of the object in which the base lies.  Accesses to variables and globals stay
 * as they are: only the heap has a side table.  Library functions that write to memory are
 * replaced by ours of the same name with a prefix.
 *
 * Optimised code without vectors is rewritten: it has fewer accesses, and pointers are
 * values, not variables.  The access of a vector that is only partly in bounds would be
 * left out as a whole.  (clang optimises the result once more.)
 *
 * Not seen: accesses by inline assembly, and by functions of other libraries.
 */
#include "front/oblivious.h"

#include "front/oblivious_int.h"

#include "base/error.h"
#include "base/sbuf.h"
#include "base/vec.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <assert.h>
#include <stdio.h>

#define PREFIX "plumb_guard_"

/* Library functions that runtime/guard_libc.c has. */
static const char *const library[] = {
	"memcpy", "memmove", "memset", "strcpy", "stpcpy", "strcat", "strncpy", "strncat",
	"sprintf", "snprintf", "vsprintf", "vsnprintf", "read", "recv", "recvfrom", "fgets", "fread",
};

VEC_TYPE(values, LLVMValueRef);

/* ---- the run-time library ---- */

struct rewrite_func rewrite_declare(struct rewrite *r, const char *name, LLVMTypeRef result,
				    const LLVMTypeRef *params, unsigned n)
{
	struct rewrite_func f;

	f.type = LLVMFunctionType(result, (LLVMTypeRef *)params, n, 0);
	f.f = LLVMGetNamedFunction(r->m, name);
	if (!f.f)
		f.f = LLVMAddFunction(r->m, name, f.type);
	return f;
}

LLVMValueRef rewrite_call(struct rewrite *r, struct rewrite_func f, LLVMValueRef *args, unsigned n)
{
	assert(n == LLVMCountParamTypes(f.type));
	return LLVMBuildCall2(r->b, f.type, f.f, args, n, "");
}

static void add_attribute(struct rewrite *r, struct rewrite_func f, const char *name, uint64_t value)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	assert(kind);		/* this LLVM knows the attribute */
	LLVMAddAttributeAtIndex(f.f, LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(r->ctx, kind, value));
}

/* A function that the optimiser takes for one whose result depends on its arguments alone: equal
 * calls become one.  But the side table changes when an object is freed, so that an access to an
 * object that the same function has freed may be allowed, within the old bounds. */
static void declare_check(struct rewrite *r, struct rewrite_func *f, const char *name, LLVMTypeRef result,
			  unsigned n)
{
	const LLVMTypeRef params[] = { r->ptr, r->ptr, r->i64, r->i64, r->i64 };
	const uint64_t none = 0;

	*f = rewrite_declare(r, name, result, params, n);
	add_attribute(r, *f, "nounwind", 0);
	add_attribute(r, *f, "willreturn", 0);
	add_attribute(r, *f, "nonlazybind", 0);
	add_attribute(r, *f, "memory", none);
}

static void declare_all(struct rewrite *r)
{
	const LLVMTypeRef copy[] = { r->ptr, r->ptr, r->ptr, r->ptr, r->i64 };
	const LLVMTypeRef fill[] = { r->ptr, r->ptr, r->i32, r->i64 };
	const LLVMTypeRef leave[] = { r->ptr, r->i64, r->i64 };
	LLVMTypeRef pair[] = { r->i64, r->i64 };

	declare_check(r, &r->bounds, PREFIX "bounds", LLVMStructTypeInContext(r->ctx, pair, 2, 0), 1);
	declare_check(r, &r->load, PREFIX "load", r->ptr, 5);
	declare_check(r, &r->store, PREFIX "store", r->ptr, 5);
	declare_check(r, &r->change, PREFIX "change", r->ptr, 5);
	r->copy = rewrite_declare(r, PREFIX "copy", r->none, copy, 5);
	r->fill = rewrite_declare(r, PREFIX "fill", r->none, fill, 4);
	r->enter = rewrite_declare(r, PREFIX "enter", r->i64, &r->ptr, 1);
	r->leave = rewrite_declare(r, PREFIX "leave", r->none, leave, 3);
}

static void replace_library(struct rewrite *r)
{
	for (size_t i = 0; i < ARRAY_LEN(library); i++) {
		LLVMValueRef f = LLVMGetNamedFunction(r->m, library[i]), ours;
		char name[64];

		if (!f || !LLVMIsDeclaration(f))
			continue;
		snprintf(name, sizeof(name), PREFIX "%s", library[i]);
		assert(!LLVMGetNamedFunction(r->m, name));
		ours = LLVMAddFunction(r->m, name, LLVMGlobalGetValueType(f));
		LLVMReplaceAllUsesWith(f, ours);
	}
}

/* ---- bases ---- */

static bool is_cast_or_step(LLVMValueRef v)
{
	LLVMOpcode op;

	if (LLVMIsAInstruction(v))
		op = LLVMGetInstructionOpcode(v);
	else if (LLVMIsAConstantExpr(v))
		op = LLVMGetConstOpcode(v);
	else
		return false;
	return op == LLVMGetElementPtr || op == LLVMBitCast;
}

static LLVMValueRef strip(LLVMValueRef v)
{
	while (is_cast_or_step(v))
		v = LLVMGetOperand(v, 0);
	return v;
}

#define MOST_PHIS 16

/* The one value, no phi, that reaches a phi on all ways; NULL: there are several, or too many phis. */
static LLVMValueRef one_origin(LLVMValueRef phi)
{
	LLVMValueRef seen[MOST_PHIS] = { phi }, origin = NULL;
	unsigned n = 1;

	assert(LLVMIsAPHINode(phi));
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < LLVMCountIncoming(seen[i]); k++) {
			LLVMValueRef v = strip(LLVMGetIncomingValue(seen[i], k));
			unsigned at = 0;

			if (!LLVMIsAPHINode(v)) {
				if (origin && origin != v)
					return NULL;
				origin = v;
				continue;
			}
			while (at < n && seen[at] != v)
				at++;
			if (at < n)
				continue;
			if (n == MOST_PHIS)
				return NULL;
			seen[n++] = v;
		}
	return origin;
}

static LLVMValueRef base_of(LLVMValueRef address)
{
	LLVMValueRef v = strip(address), origin;

	if (!LLVMIsAPHINode(v))
		return v;
	origin = one_origin(v);
	return origin ? origin : v;
}

/* Is it certain that the base is not in the heap? */
static bool is_variable(LLVMValueRef base)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5), index = 1;
	LLVMValueRef f, p;

	if (LLVMIsAAllocaInst(base) || LLVMIsAGlobalValue(base))
		return true;
	if (!LLVMIsAArgument(base))
		return false;
	f = LLVMGetParamParent(base);
	for (p = LLVMGetFirstParam(f); p && p != base; p = LLVMGetNextParam(p))
		index++;
	return LLVMGetEnumAttributeAtIndex(f, index, kind) != NULL;
}

static bool is_plain_pointer(LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);

	return LLVMGetTypeKind(t) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(t) == 0;
}

/* ---- accesses ---- */

/* Redirects operand `at` of an instruction that accesses n bytes there. */
static void guard_operand(struct rewrite *r, struct rewrite_func check, LLVMValueRef inst,
			  unsigned at, LLVMTypeRef type)
{
	LLVMValueRef address = LLVMGetOperand(inst, at), base = base_of(address), args[5], bounds;

	if (!is_plain_pointer(address) || !is_plain_pointer(base) || is_variable(base))
		return;
	assert(LLVMTypeOf(address) == r->ptr && LLVMTypeOf(base) == r->ptr);
	LLVMPositionBuilderBefore(r->b, inst);
	args[0] = base;
	args[1] = address;
	args[2] = LLVMConstInt(r->i64, LLVMStoreSizeOfType(r->layout, type), 0);
	bounds = rewrite_call(r, r->bounds, args, 1);
	args[3] = LLVMBuildExtractValue(r->b, bounds, 0, "");
	args[4] = LLVMBuildExtractValue(r->b, bounds, 1, "");
	LLVMSetOperand(inst, at, rewrite_call(r, check, args, 5));
}

static LLVMValueRef as_i64(struct rewrite *r, LLVMValueRef n)
{
	return LLVMTypeOf(n) == r->i64 ? n : LLVMBuildIntCast2(r->b, n, r->i64, 0, "");
}

/* llvm.memcpy, llvm.memmove, llvm.memset */
static void guard_intrinsic(struct rewrite *r, LLVMValueRef call, bool is_fill)
{
	LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), args[5];

	if (!is_plain_pointer(to) || (!is_fill && !is_plain_pointer(from)))
		return;
	if (is_variable(base_of(to)) && (is_fill || is_variable(base_of(from))))
		return;
	LLVMPositionBuilderBefore(r->b, call);
	args[0] = base_of(to);
	args[1] = to;
	if (is_fill) {
		args[2] = LLVMBuildZExt(r->b, from, r->i32, "");
		args[3] = as_i64(r, LLVMGetOperand(call, 2));
		rewrite_call(r, r->fill, args, 4);
	} else {
		args[2] = base_of(from);
		args[3] = from;
		args[4] = as_i64(r, LLVMGetOperand(call, 2));
		rewrite_call(r, r->copy, args, 5);
	}
	LLVMInstructionEraseFromParent(call);
}

static void guard_call(struct rewrite *r, LLVMValueRef call)
{
	LLVMValueRef f = LLVMGetCalledValue(call);
	const char *name;
	size_t n;

	if (!f || !LLVMIsAFunction(f))
		return;
	name = LLVMGetValueName2(f, &n);
	if (str_starts(name, "llvm.memcpy.p") || str_starts(name, "llvm.memmove.p"))
		guard_intrinsic(r, call, false);
	else if (str_starts(name, "llvm.memset.p"))
		guard_intrinsic(r, call, true);
}

static void guard_inst(struct rewrite *r, LLVMValueRef inst)
{
	switch (LLVMGetInstructionOpcode(inst)) {
	case LLVMLoad:
		guard_operand(r, r->load, inst, 0, LLVMTypeOf(inst));
		break;
	case LLVMStore:
		guard_operand(r, r->store, inst, 1, LLVMTypeOf(LLVMGetOperand(inst, 0)));
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		guard_operand(r, r->change, inst, 0, LLVMTypeOf(LLVMGetOperand(inst, 1)));
		break;
	case LLVMCall:
		guard_call(r, inst);
		break;
	default:
		break;
	}
}

/* Instructions are listed first: those that are inserted are not to be guarded. */
static void guard_function(struct rewrite *r, LLVMValueRef func)
{
	struct values all = {0};

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(func); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			vec_push(&all, i);
	for (uint32_t i = 0; i < all.n; i++)
		guard_inst(r, all.v[i]);
	vec_release(&all);
}

/* ---- modules ---- */

int rewrite_is_endless(LLVMValueRef text)
{
	size_t n = 0;
	const char *s;

	assert(text);
	text = strip(text);
	if (LLVMIsAGlobalVariable(text))
		text = LLVMGetInitializer(text);
	if (!text || !LLVMIsConstantString(text))
		return 0;
	s = LLVMGetAsString(text, &n);
	return n >= sizeof(OBLIVIOUS_ENDLESS) && memcmp(s, OBLIVIOUS_ENDLESS, sizeof(OBLIVIOUS_ENDLESS)) == 0;
}

/* Is the function annotated? */
static bool is_endless(struct rewrite *r, LLVMValueRef func)
{
	LLVMValueRef all = LLVMGetNamedGlobal(r->m, "llvm.global.annotations");

	all = all ? LLVMGetInitializer(all) : NULL;
	for (int i = 0; all && i < LLVMGetNumOperands(all); i++) {
		LLVMValueRef one = LLVMGetOperand(all, (unsigned)i);

		if (LLVMGetNumOperands(one) >= 2 && strip(LLVMGetOperand(one, 0)) == func &&
		    rewrite_is_endless(LLVMGetOperand(one, 1)))
			return true;
	}
	return false;
}

static bool has_attribute(LLVMValueRef func, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(func, LLVMAttributeFunctionIndex, kind) != NULL;
}

static void rewrite_module(struct rewrite *r)
{
	r->b = LLVMCreateBuilderInContext(r->ctx);
	r->layout = LLVMGetModuleDataLayout(r->m);
	r->ptr = LLVMPointerTypeInContext(r->ctx, 0);
	r->i64 = LLVMInt64TypeInContext(r->ctx);
	r->i32 = LLVMInt32TypeInContext(r->ctx);
	r->none = LLVMVoidTypeInContext(r->ctx);
	declare_all(r);
	replace_library(r);
	for (LLVMValueRef f = LLVMGetFirstFunction(r->m); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || has_attribute(f, "naked"))
			continue;
		guard_function(r, f);
		if (!is_endless(r, f))
			rewrite_loops(r, f);
	}
	LLVMDisposeBuilder(r->b);
}

static void take_diagnostic(LLVMDiagnosticInfoRef info, void *ctx)
{
	struct sbuf *text = ctx;
	char *s = LLVMGetDiagInfoDescription(info);

	if (text->n == 0)
		sbuf_adds(text, s);
	LLVMDisposeMessage(s);
}

int oblivious_rewrite(char **text, const void *bitcode, size_t n, const char *name)
{
	struct rewrite r = { .ctx = LLVMContextCreate() };
	LLVMMemoryBufferRef buf = LLVMCreateMemoryBufferWithMemoryRange(bitcode, n, name, 0);
	struct sbuf diag = {0};
	char *message = NULL;
	int ret = 0;

	LLVMContextSetDiagnosticHandler(r.ctx, take_diagnostic, &diag);
	if (LLVMParseBitcodeInContext2(r.ctx, buf, &r.m)) {
		ret = error_set("%s: not readable: %s", name, diag.n ? diag.s : "not bitcode");
		r.m = NULL;
		goto done;
	}
	rewrite_module(&r);
	if (LLVMVerifyModule(r.m, LLVMReturnStatusAction, &message)) {
		ret = error_set("%s: cannot be rewritten: %s", name, message);
		goto done;
	}
	LLVMDisposeMessage(message);
	message = LLVMPrintModuleToString(r.m);
	*text = xstrdup(message);
done:
	LLVMDisposeMessage(message);
	LLVMDisposeMemoryBuffer(buf);
	if (r.m)
		LLVMDisposeModule(r.m);
	LLVMContextDispose(r.ctx);
	sbuf_release(&diag);
	return ret;
}
