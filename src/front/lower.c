/*
 * lower.c - LLVM bitcode to leak IR: reading the module, its symbols.
 *
 * The order: debug units and the types that nothing else names; every function
 * and variable as a symbol, so that bodies and initialisers can refer to them;
 * then aliases, initialisers, bodies.  Intrinsic functions of LLVM get a symbol
 * only if a call of one remains a call.
 *
 * An alias is not an operand in the leak IR: a use of one names its target, or,
 * if another unit may override the alias, a declaration of the same name that
 * the linker binds.  Module-level assembly is ignored.
 *
 * What is lowered has passed LLVM's verifier.  By default LLVM verifies while it
 * reads, but then aborts on a bad module: we switch that off and call the verifier
 * ourselves; debug information that does not pass is dropped.  Some damaged bitcode
 * still aborts LLVM: the caller runs us in a worker process.
 */
#include "front/lower.h"

#include "front/lower_int.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/sbuf.h"
#include "ir/io.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void low_fail(struct lower *l, const char *fmt, ...)
{
	struct sbuf b = {0};
	va_list ap;

	if (l->error)
		return;
	va_start(ap, fmt);
	sbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	l->error = sbuf_detach(&b);
}

/* ---- reading --------------------------------------------------------- */

static bool is_bitcode(const unsigned char *p, size_t n)
{
	static const unsigned char raw[4] = { 'B', 'C', 0xc0, 0xde };
	static const unsigned char wrapped[4] = { 0xde, 0xc0, 0x17, 0x0b };

	return n >= 4 && (memcmp(p, raw, 4) == 0 || memcmp(p, wrapped, 4) == 0);
}

/* LLVM's messages may have several lines; the first one tells. */
static int fail_first_line(const char *name, const char *what, const char *msg)
{
	size_t n = strcspn(msg, "\n");

	while (n && msg[n - 1] == ' ')
		n--;
	return error_set("%s: %s: %.*s", name, what, (int)MIN(n, 300), msg);
}

static void take_diagnostic(LLVMDiagnosticInfoRef info, void *ctx)
{
	struct sbuf *b = ctx;
	char *s;

	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || b->n)
		return;
	s = LLVMGetDiagInfoDescription(info);
	sbuf_adds(b, s);
	LLVMDisposeMessage(s);
}

static int read_bitcode(struct lower *l, const void *p, size_t n)
{
	LLVMMemoryBufferRef buf = LLVMCreateMemoryBufferWithMemoryRange(p, n, l->name, 0);
	int ret = 0;

	if (LLVMParseBitcodeInContext2(l->ctx, buf, &l->llvm)) {
		l->llvm = NULL;
		ret = fail_first_line(l->name, "bad bitcode",
				      l->diag->n ? sbuf_str(l->diag) : "cannot be read");
	}
	LLVMDisposeMemoryBuffer(buf);
	return ret;
}

static int read_text(struct lower *l, const char *p, size_t n)
{
	LLVMMemoryBufferRef buf;
	char *msg = NULL;
	size_t k;

	if (memchr(p, 0, n))
		return error_set("%s: neither LLVM bitcode nor LLVM assembly", l->name);
	/* It must end in a NUL; the parser takes the buffer. */
	buf = LLVMCreateMemoryBufferWithMemoryRangeCopy(p, n, l->name);
	if (!LLVMParseIRInContext(l->ctx, buf, &l->llvm, &msg)) {
		LLVMDisposeMessage(msg);
		return 0;
	}
	l->llvm = NULL;
	k = msg ? strcspn(msg, "\n") : 0;	/* "name:line:column: error: what" */
	if (k)
		error_set("%.*s", (int)MIN(k, 500), msg);
	else
		error_set("%s: bad LLVM assembly", l->name);
	LLVMDisposeMessage(msg);
	return -1;
}

/* Once in a process: no verifier inside the reader. */
static void set_llvm_options(void)
{
	static const char *const args[] = { "plumb", "-disable-auto-upgrade-debug-info" };
	static bool done;

	if (!done)
		LLVMParseCommandLineOptions(ARRAY_LEN(args), args, "");
	done = true;
}

static int check_module(struct lower *l)
{
	unsigned version = LLVMGetModuleDebugMetadataVersion(l->llvm);
	char *msg = NULL;
	int ret = 0;

	if (version != LLVMDebugMetadataVersion())
		LLVMStripModuleDebugInfo(l->llvm);
	if (!LLVMVerifyModule(l->llvm, LLVMReturnStatusAction, &msg))
		goto done;
	LLVMDisposeMessage(msg);
	msg = NULL;
	LLVMStripModuleDebugInfo(l->llvm);
	if (LLVMVerifyModule(l->llvm, LLVMReturnStatusAction, &msg))
		ret = fail_first_line(l->name, "invalid module", msg ? msg : "");
done:
	LLVMDisposeMessage(msg);
	return ret;
}

static int read_module(struct lower *l, const void *p, size_t n)
{
	int ret;

	if (!n)
		return error_set("%s: the file is empty", l->name);
	ret = is_bitcode(p, n) ? read_bitcode(l, p, n) : read_text(l, p, n);
	return ret < 0 ? ret : check_module(l);
}

/* ---- symbols --------------------------------------------------------- */

static unsigned attr_kind(const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	assert(kind);		/* this LLVM knows the attribute */
	return kind;
}

static void find_attrs(struct low_attrs *a)
{
	a->noreturn = attr_kind("noreturn");
	a->returns_twice = attr_kind("returns_twice");
	a->noalias = attr_kind("noalias");
	a->memory = attr_kind("memory");
	a->byval = attr_kind("byval");
	a->sret = attr_kind("sret");
	a->inlinehint = attr_kind("inlinehint");
	a->alwaysinline = attr_kind("alwaysinline");
}

static enum ir_linkage linkage(LLVMValueRef v)
{
	switch (LLVMGetLinkage(v)) {
	case LLVMExternalWeakLinkage:
		return IR_L_DECL_WEAK;
	case LLVMInternalLinkage:
	case LLVMPrivateLinkage:
	case LLVMLinkerPrivateLinkage:
	case LLVMLinkerPrivateWeakLinkage:
		return IR_L_STATIC;
	case LLVMAvailableExternallyLinkage:	/* the real definition is elsewhere and wins */
	case LLVMLinkOnceAnyLinkage:
	case LLVMLinkOnceODRLinkage:
	case LLVMLinkOnceODRAutoHideLinkage:
	case LLVMWeakAnyLinkage:
	case LLVMWeakODRLinkage:
		return LLVMIsDeclaration(v) ? IR_L_DECL : IR_L_WEAK;
	case LLVMCommonLinkage:
		return IR_L_COMMON;
	default:
		return LLVMIsDeclaration(v) ? IR_L_DECL : IR_L_EXTERNAL;
	}
}

/* The symbol's name: clang puts \1 before one that was given by an asm label. */
static const char *symbol_name(struct lower *l, LLVMValueRef v)
{
	size_t n = 0;
	const char *s = LLVMGetValueName2(v, &n);

	if (n && s[0] == '\1') {
		s++;
		n--;
	}
	if (n)
		return ir_intern_n(l->m, s, n);
	/* LLVM allows private symbols without a name. */
	s = arena_printf(&l->arena, ".unnamed.%u", l->nunnamed++);
	return ir_intern(l->m, s);
}

/* Another symbol that has the same name once the \1 is gone, or NULL. */
static LLVMValueRef twin(struct lower *l, LLVMValueRef v)
{
	size_t n = 0;
	const char *s = LLVMGetValueName2(v, &n);
	LLVMValueRef t;

	if (!n || s[0] != '\1')
		return NULL;
	t = LLVMGetNamedFunction(l->llvm, s + 1);
	return t ? t : LLVMGetNamedGlobal(l->llvm, s + 1);
}

static bool has_attr(LLVMValueRef fn, LLVMAttributeIndex at, unsigned kind)
{
	return LLVMGetEnumAttributeAtIndex(fn, at, kind) != NULL;
}

uint64_t low_memory_effects(struct lower *l, LLVMValueRef fn)
{
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
							 l->attr.memory);

	return a ? LLVMGetEnumAttributeValue(a) : ~(uint64_t)0;
}

static uint16_t func_flags(struct lower *l, LLVMValueRef fn)
{
	const LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	uint16_t flags = 0;

	if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(fn)))
		flags |= IR_FN_VARIADIC;
	if (has_attr(fn, at, l->attr.noreturn))
		flags |= IR_FN_NORETURN;
	if (has_attr(fn, at, l->attr.returns_twice))
		flags |= IR_FN_TWICE;
	if (has_attr(fn, LLVMAttributeReturnIndex, l->attr.noalias))
		flags |= IR_FN_MALLOC;
	if ((low_memory_effects(l, fn) & 0xaaaaaaaaaaaaaaaaull) == 0)
		flags |= IR_FN_READONLY;
	if (has_attr(fn, at, l->attr.inlinehint) || has_attr(fn, at, l->attr.alwaysinline) ||
	    LLVMGetLinkage(fn) == LLVMAvailableExternallyLinkage)
		flags |= IR_FN_INLINE;
	return flags;
}

/* An aggregate parameter is as many parameters as it has leaves. */
static void set_params(struct lower *l, struct ir_func *f, LLVMValueRef fn)
{
	uint32_t n = LLVMCountParams(fn);
	VEC(struct ir_param) params = {0};

	for (uint32_t i = 0; i < n; i++) {
		struct low_type *t = low_type_of(l, LLVMGetParam(fn, i));
		struct ir_param p = { .cls = t->cls, .bits = t->bits };

		if (t->cls == IR_C_PTR) {
			p.byval = has_attr(fn, i + 1, l->attr.byval);
			p.sret = has_attr(fn, i + 1, l->attr.sret);
		}
		if (t->cls != IR_C_AGG) {
			vec_push(&params, p);
			continue;
		}
		for (uint32_t k = 0; k < t->nleaves; k++) {
			p.cls = t->leaves[k].type->cls;
			p.bits = t->leaves[k].type->bits;
			vec_push(&params, p);
		}
	}
	f->nparams = params.n;
	f->params = arena_copy(&l->m->arena, params.v, params.n * sizeof(*params.v));
	vec_release(&params);
}

ir_ref low_add_func(struct lower *l, LLVMValueRef fn)
{
	uint32_t no = ir_add_func(l->m, symbol_name(l, fn), linkage(fn));
	struct low_type *ret = low_type(l, LLVMGetReturnType(LLVMGlobalGetValueType(fn)));
	struct ir_func *f = &l->m->funcs.v[no];

	f->flags = func_flags(l, fn);
	f->ret_cls = ret->cls == IR_C_AGG && !ret->nleaves ? IR_C_VOID : ret->cls;
	f->ret_bits = f->ret_cls == IR_C_VOID ? 0 : ret->bits;
	set_params(l, f, fn);
	low_debug_func(l, no, fn);
	valmap_set(&l->syms, fn, IR_REF(IR_R_FUNC, no));
	return IR_REF(IR_R_FUNC, no);
}

static void add_functions(struct lower *l)
{
	for (LLVMValueRef fn = LLVMGetFirstFunction(l->llvm); fn; fn = LLVMGetNextFunction(fn)) {
		size_t n = 0;
		const char *name = LLVMGetValueName2(fn, &n);

		if (str_starts(name, "llvm.") && LLVMIsDeclaration(fn))
			valmap_set(&l->syms, fn, LOW_PSEUDO(low_intrinsic(l, fn, name)));
		else if (!twin(l, fn))
			low_add_func(l, fn);
	}
}

/* llvm.used, llvm.global_ctors and the like */
static bool is_special(LLVMValueRef g)
{
	size_t n = 0;
	const char *name = LLVMGetValueName2(g, &n);

	return str_starts(name, "llvm.");
}

static void add_globals(struct lower *l)
{
	for (LLVMValueRef v = LLVMGetFirstGlobal(l->llvm); v; v = LLVMGetNextGlobal(v)) {
		struct ir_global *g;
		uint32_t no;

		if (is_special(v) || twin(l, v))
			continue;
		no = ir_add_global(l->m, symbol_name(l, v), linkage(v));
		g = &l->m->globals.v[no];
		g->size = low_object_size(low_type(l, LLVMGlobalGetValueType(v))->size);
		if (LLVMIsGlobalConstant(v))
			g->flags |= IR_G_CONST;
		if (LLVMIsThreadLocal(v))
			g->flags |= IR_G_TLS;
		if (LLVMGetLinkage(v) != LLVMPrivateLinkage)
			g->src = g->name;
		low_debug_global(l, no, v);
		valmap_set(&l->syms, v, IR_REF(IR_R_GLOBAL, no));
	}
}

/* Symbols that are others under a name with \1. */
static void add_twins(struct lower *l)
{
	LLVMValueRef v, to;
	const ir_ref *r;

	for (v = LLVMGetFirstFunction(l->llvm); v; v = LLVMGetNextFunction(v))
		if ((to = twin(l, v)) && (r = valmap_get(&l->syms, to))) {
			ir_ref same = *r;

			valmap_set(&l->syms, v, same);
		}
	for (v = LLVMGetFirstGlobal(l->llvm); v; v = LLVMGetNextGlobal(v))
		if ((to = twin(l, v)) && (r = valmap_get(&l->syms, to))) {
			ir_ref same = *r;

			valmap_set(&l->syms, v, same);
		}
}

/* What a use of an alias refers to.  target is its own. */
static ir_ref alias_use(struct lower *l, LLVMValueRef v, ir_ref target)
{
	ir_ref base = IR_KIND(target) == IR_R_ADDR ? l->m->addrs.v[IR_IDX(target)].base : target;
	struct ir_func *f;
	uint32_t no;

	if (linkage(v) != IR_L_WEAK)
		return target;
	if (IR_KIND(base) == IR_R_GLOBAL) {
		no = ir_add_global(l->m, symbol_name(l, v), IR_L_DECL);
		l->m->globals.v[no].size =
			low_object_size(low_type(l, LLVMGlobalGetValueType(v))->size);
		l->m->globals.v[no].type = l->m->globals.v[IR_IDX(base)].type;
		return IR_REF(IR_R_GLOBAL, no);
	}
	assert(IR_KIND(base) == IR_R_FUNC);	/* add_aliases() takes no number */
	no = ir_add_func(l->m, symbol_name(l, v), IR_L_DECL);
	f = &l->m->funcs.v[no];
	base = IR_IDX(base);
	f->flags = l->m->funcs.v[base].flags;
	f->type = l->m->funcs.v[base].type;
	f->ret_cls = l->m->funcs.v[base].ret_cls;
	f->ret_bits = l->m->funcs.v[base].ret_bits;
	f->nparams = l->m->funcs.v[base].nparams;
	f->params = l->m->funcs.v[base].params;
	return IR_REF(IR_R_FUNC, no);
}

/* An alias may name another one that comes later: resolve until nothing changes. */
static void add_aliases(struct lower *l)
{
	unsigned before, left = 0;
	LLVMValueRef v;
	ir_ref r;

	do {
		before = left;
		left = 0;
		for (v = LLVMGetFirstGlobalAlias(l->llvm); v; v = LLVMGetNextGlobalAlias(v)) {
			if (valmap_get(&l->syms, v))
				continue;
			if (!low_const(l, LLVMAliasGetAliasee(v), &r) ||
			    IR_KIND(r) == IR_R_SPECIAL || IR_KIND(r) == IR_R_INT) {
				left++;
				continue;
			}
			ir_add_alias(l->m, symbol_name(l, v), linkage(v), r);
			r = alias_use(l, v, r);
			valmap_set(&l->syms, v, r);
		}
	} while (left != before);
	for (v = LLVMGetFirstGlobalAlias(l->llvm); v; v = LLVMGetNextGlobalAlias(v))
		if (!valmap_get(&l->syms, v))
			ir_add_alias(l->m, symbol_name(l, v), linkage(v), IR_CONST);
	for (v = LLVMGetFirstGlobalIFunc(l->llvm); v; v = LLVMGetNextGlobalIFunc(v))
		ir_add_alias(l->m, symbol_name(l, v), linkage(v), IR_CONST);
}

/* Marks the functions of llvm.global_ctors or llvm.global_dtors. */
static void mark_startup(struct lower *l, const char *list, uint16_t flag)
{
	LLVMValueRef v = LLVMGetNamedGlobal(l->llvm, list);
	LLVMValueRef init = v ? LLVMGetInitializer(v) : NULL;
	int n = init && LLVMIsAConstantArray(init) ? LLVMGetNumOperands(init) : 0;

	for (int i = 0; i < n; i++) {
		LLVMValueRef e = LLVMGetOperand(init, (unsigned)i);
		ir_ref r;

		if (LLVMIsAConstantStruct(e) && LLVMGetNumOperands(e) > 1 &&
		    low_const(l, LLVMGetOperand(e, 1), &r) && IR_KIND(r) == IR_R_FUNC)
			l->m->funcs.v[IR_IDX(r)].flags |= flag;
	}
}

static void lower_globals(struct lower *l)
{
	for (LLVMValueRef v = LLVMGetFirstGlobal(l->llvm); v; v = LLVMGetNextGlobal(v)) {
		const ir_ref *r = valmap_get(&l->syms, v);

		if (!r || !LLVMGetInitializer(v) || twin(l, v))
			continue;
		assert(IR_KIND(*r) == IR_R_GLOBAL);
		low_initialiser(l, IR_IDX(*r), v);
	}
}

static void lower_functions(struct lower *l)
{
	struct low_func *f = xcalloc(1, sizeof(*f));

	for (LLVMValueRef fn = LLVMGetFirstFunction(l->llvm); fn; fn = LLVMGetNextFunction(fn)) {
		const ir_ref *r = valmap_get(&l->syms, fn);

		if (r && IR_KIND(*r) == IR_R_FUNC && !LLVMIsDeclaration(fn) && !twin(l, fn))
			low_body(f, l, IR_IDX(*r), fn);
	}
	low_func_release(f);
	free(f);
}

/* Symbols are what the module has; a list of tags leads from later debug types to earlier ones; a nameless
 * struct of LLVM's and its debug type know each other. */
static void lower_check(const struct lower *l)
{
#ifdef PLUMB_DEBUG
	ir_ref *r;

	for (uint32_t it = 0; valmap_next(&l->syms, &it, NULL, &r);) {
		if (LOW_IS_PSEUDO(*r))
			assert(IR_IDX(*r) <= INTR_STORE);
		else if (IR_KIND(*r) == IR_R_FUNC)
			assert(IR_IDX(*r) < l->m->funcs.n);
		else if (IR_KIND(*r) == IR_R_GLOBAL)
			assert(IR_IDX(*r) < l->m->globals.n);
		else
			assert(IR_KIND(*r) == IR_R_ADDR && IR_IDX(*r) < l->m->addrs.n);
	}
	assert(l->ntagged <= l->m->types.n && l->anons.n <= l->m->types.n);
	for (uint32_t i = 0; i < l->tagged.n; i++)
		assert(l->tagged.v[i].type < l->m->types.n && l->tagged.v[i].next <= i);
	for (uint32_t i = 0; i < l->anons.n; i++)
		assert(!l->anons.v[i] || (l->anons.v[i]->anon && l->anons.v[i]->debug == i));
#else
	(void)l;
#endif
}

static void lower_module(struct lower *l)
{
	low_debug_prepare(l->llvm);
	l->layout = LLVMGetModuleDataLayout(l->llvm);
	l->ptr_bits = (uint16_t)(LLVMPointerSize(l->layout) * 8);
	l->md_dbg = LLVMGetMDKindIDInContext(l->ctx, "dbg", 3);
	find_attrs(&l->attr);
	ditype_init(&l->di, l->m, l->ctx, LLVMGetTarget(l->llvm));
	low_debug_init(l);
	add_functions(l);
	add_globals(l);
	add_twins(l);
	add_aliases(l);
	mark_startup(l, "llvm.global_ctors", IR_FN_CTOR);
	mark_startup(l, "llvm.global_dtors", IR_FN_DTOR);
	lower_check(l);
	lower_globals(l);
	lower_functions(l);
	lower_check(l);
}

static void release(struct lower *l)
{
	ditype_release(&l->di);
	typemap_release(&l->types);
	tagmap_release(&l->tags);
	vec_release(&l->tagged);
	vec_release(&l->anons);
	valmap_release(&l->syms);
	mdmap_release(&l->files);
	mdmap_release(&l->units);
	mdmap_release(&l->subprograms);
	arena_release(&l->arena);
	free(l->error);
}

/* What we make must be well formed whatever we were given.  If it is not the mistake
 * is ours, and the debug build stops here.  Without PLUMB_DEBUG the parent notices in
 * ir_read(), and the unit counts as failed. */
static void check_made(const struct lower *l)
{
#ifdef PLUMB_DEBUG
	if (ir_verify(l->m) < 0) {
		diag_error("%s: lowering made wrong IR: %s", l->name, error_last());
		abort();
	}
#else
	(void)l;
#endif
}

int lower_bitcode(struct ir_module **out, const void *p, size_t n, const char *name)
{
	struct lower l = { .name = name };
	struct sbuf diag = {0};
	int ret;

	arena_init(&l.arena);
	l.diag = &diag;
	set_llvm_options();
	l.ctx = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(l.ctx, take_diagnostic, &diag);
	if ((ret = read_module(&l, p, n)) < 0)
		goto done;
	l.m = ir_module_new();
	lower_module(&l);
	if (l.error) {
		ret = error_set("%s: cannot be lowered: %s", name, l.error);
		goto done;
	}
	ir_prune(l.m);
	check_made(&l);
	*out = l.m;
	l.m = NULL;		/* now the caller's */
done:
	ir_module_free(l.m);
	release(&l);
	if (l.llvm)
		LLVMDisposeModule(l.llvm);
	LLVMContextDispose(l.ctx);
	sbuf_release(&diag);
	return ret;
}

const char *lower_version(void)
{
	static char text[32];
	unsigned major, minor, patch;

	LLVMGetVersion(&major, &minor, &patch);
	snprintf(text, sizeof(text), "%u.%u.%u", major, minor, patch);
	return text;
}
