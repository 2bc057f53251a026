/*
 * lower_debug.c - debug information other than types: files, units, positions,
 * and which slot is which source variable.
 *
 * llvm.dbg.declare ties a DILocalVariable to the memory of a variable.  Up to LLVM 21
 * it is a call (low_debug_prepare() asks versions that make records for calls), from
 * 22 on a record that stands before an instruction: there are no calls any more, and
 * the C interface can read records.  Both become a struct dbg; the rest of the file is
 * the same for both.  LLVM's C interface does not show three things, which are inferred:
 *
 *   which parameter	clang declares the parameters first and in order, before
 *			anything that has a position of its own; their types must
 *			agree with the function's
 *   location expression	only the empty one and a single DW_OP_deref are believed:
 *			such nodes are unique, so that their addresses tell
 *   cleanup calls	clang gives the call of a cleanup function the position of
 *			the scope's closing brace, in the scope around it, where the
 *			variable is out of scope; at the end of the function it is
 *			the position of the return
 *
 * Where this errs: parameters with __attribute__((nodebug)) may shift the
 * numbers of later parameters of the same type.  In optimised code most variables
 * have no memory and thus no slot.
 */
#include "front/lower_int.h"

#include "base/file.h"

#include <stdlib.h>

#define DW_OP_DEREF 0x06

/* What is said of a variable at one place. */
struct dbg {
	bool declares;			/* where it lives from now on; false: which value it has */
	LLVMValueRef v;			/* that address or value; NULL if there is not exactly one */
	LLVMMetadataRef var, expr, loc;
};

VEC_TYPE(dbgvec, struct dbg);

/* ---- files, units, positions ----------------------------------------- */

static char *file_path(LLVMMetadataRef file)
{
	unsigned nd = 0, nf = 0;
	const char *d = LLVMDIFileGetDirectory(file, &nd), *n = LLVMDIFileGetFilename(file, &nf);
	char *dir = xstrndup(d ? d : "", nd);
	char *name = xstrndup(n ? n : "", nf);
	char *joined = nd ? path_join(dir, name) : xstrdup(name);
	char *normal = path_normal(joined);

	free(dir);
	free(name);
	free(joined);
	return normal;
}

uint32_t low_file(struct lower *l, LLVMMetadataRef scope)
{
	LLVMMetadataRef file;
	uint32_t *have, no;
	char *path;

	if (!scope)
		return IR_NONE;
	have = mdmap_get(&l->files, scope);
	if (have)
		return *have;
	file = LLVMDIScopeGetFile(scope);
	if (file == scope) {
		path = file_path(file);
		no = ir_file(l->m, path);
		free(path);
	} else {
		no = low_file(l, file);
	}
	mdmap_set(&l->files, scope, no);
	return no;
}

struct ir_pos low_pos(struct lower *l, LLVMMetadataRef loc)
{
	static const struct ir_pos nowhere = { .file = IR_NONE };
	unsigned col;

	if (!loc)
		return nowhere;
	if (loc == l->last_loc)
		return l->last_pos;
	l->last_loc = loc;
	l->last_pos = nowhere;
	l->last_pos.line = LLVMDILocationGetLine(loc);
	if (!l->last_pos.line)		/* the compiler's own doing */
		return l->last_pos;
	l->last_pos.file = low_file(l, LLVMDILocationGetScope(loc));
	col = LLVMDILocationGetColumn(loc);
	if (l->last_pos.file == IR_NONE)
		l->last_pos = nowhere;
	else
		l->last_pos.col = (uint16_t)MIN(col, UINT16_MAX);
	return l->last_pos;
}

static uint32_t add_unit(struct lower *l, LLVMMetadataRef cu)
{
	LLVMMetadataRef file = LLVMDIScopeGetFile(cu);
	char *path, *dir;
	unsigned n = 0;
	const char *d;
	uint32_t no;

	if (!md_is(file, LLVMDIFileMetadataKind))
		return ir_add_unit(l->m, l->name, "");
	path = file_path(file);
	d = LLVMDIFileGetDirectory(file, &n);
	dir = xstrndup(d ? d : "", n);
	no = ir_add_unit(l->m, path, dir);
	free(path);
	free(dir);
	return no;
}

uint32_t low_unit(struct lower *l, LLVMMetadataRef cu)
{
	const uint32_t *have = cu ? mdmap_get(&l->units, cu) : NULL;

	return have ? *have : 0;
}

/* The types that nothing else names: those of casts, sizeof and the like. */
static void retained_types(struct lower *l, LLVMMetadataRef cu)
{
	struct mdvec ops = {0};

	md_operands(&ops, l->ctx, md_operand(l->ctx, cu, MD_UNIT_RETAINED));
	for (uint32_t i = 0; i < ops.n; i++)
		if (ops.v[i])
			ditype_get(&l->di, LLVMValueAsMetadata(ops.v[i]));
	vec_release(&ops);
}

static void no_debug_unit(struct lower *l)
{
	size_t n = 0;
	const char *s = LLVMGetSourceFileName(l->llvm, &n);
	char *path = s && n && !(n == 1 && *s == '-') ? xstrndup(s, n) : xstrdup(l->name);

	ir_add_unit(l->m, path, "");
	free(path);
}

void low_debug_init(struct lower *l)
{
	unsigned n = LLVMGetNamedMetadataNumOperands(l->llvm, "llvm.dbg.cu");
	LLVMDIBuilderRef b = LLVMCreateDIBuilder(l->llvm);
	uint64_t deref = DW_OP_DEREF;
	struct mdvec cus = {0};

	l->no_expr = LLVMDIBuilderCreateExpression(b, NULL, 0);
	l->deref_expr = LLVMDIBuilderCreateExpression(b, &deref, 1);
	LLVMDisposeDIBuilder(b);
	if (n)
		LLVMGetNamedMetadataOperands(l->llvm, "llvm.dbg.cu", vec_add(&cus, n));
	for (uint32_t i = 0; i < cus.n; i++) {
		LLVMMetadataRef cu = cus.v[i] ? LLVMValueAsMetadata(cus.v[i]) : NULL;

		if (!md_is(cu, LLVMDICompileUnitMetadataKind))
			continue;
		mdmap_set(&l->units, cu, add_unit(l, cu));
		retained_types(l, cu);
	}
	vec_release(&cus);
	if (!l->m->units.n)
		no_debug_unit(l);
}

static struct ir_pos line_pos(uint32_t file, unsigned line)
{
	struct ir_pos pos = { .file = file };

	if (file != IR_NONE)
		pos.line = line;
	return pos;
}

/* ---- symbols --------------------------------------------------------- */

static const char *name_operand(struct lower *l, const struct mdvec *ops, unsigned i)
{
	unsigned n = 0;
	const char *s = i < ops->n ? md_string(ops->v[i], &n) : "";

	return ir_intern_n(l->m, s, n);
}

static LLVMMetadataRef operand(const struct mdvec *ops, unsigned i)
{
	return i < ops->n && ops->v[i] ? LLVMValueAsMetadata(ops->v[i]) : NULL;
}

void low_debug_func(struct lower *l, uint32_t func, LLVMValueRef v)
{
	LLVMMetadataRef sp = LLVMGetSubprogram(v);
	struct mdvec ops = {0};
	struct ir_func *fn;
	uint32_t type;

	if (!sp)
		return;
	mdmap_set(&l->subprograms, sp, func + 1);
	md_operands(&ops, l->ctx, sp);
	type = ditype_get(&l->di, operand(&ops, MD_SUBPROGRAM_TYPE));
	assert(func < l->m->funcs.n);
	fn = &l->m->funcs.v[func];
	if (l->m->types.v[type].kind == IR_T_FUNC)
		fn->type = type;
	if (name_operand(l, &ops, MD_SUBPROGRAM_NAME)[0])
		fn->src = name_operand(l, &ops, MD_SUBPROGRAM_NAME);
	fn->pos = line_pos(low_file(l, sp), LLVMDISubprogramGetLine(sp));
	fn->unit = low_unit(l, operand(&ops, MD_SUBPROGRAM_UNIT));
	vec_release(&ops);
}

/* The DIGlobalVariable of a global, or NULL. */
static LLVMMetadataRef global_variable(struct lower *l, LLVMValueRef v)
{
	LLVMMetadataRef found = NULL;
	LLVMValueMetadataEntry *md;
	size_t n = 0;

	md = LLVMGlobalCopyAllMetadata(v, &n);
	for (unsigned i = 0; i < n && !found; i++) {
		LLVMMetadataRef e = LLVMValueMetadataEntriesGetMetadata(md, i);

		if (LLVMValueMetadataEntriesGetKind(md, i) == l->md_dbg &&
		    md_is(e, LLVMDIGlobalVariableExpressionMetadataKind))
			found = LLVMDIGlobalVariableExpressionGetVariable(e);
	}
	LLVMDisposeValueMetadataEntries(md);
	return found;
}

/* The block or function around a block; NULL for a function. */
static LLVMMetadataRef outer_scope(struct lower *l, LLVMMetadataRef scope)
{
	if (md_is(scope, LLVMDILexicalBlockMetadataKind) ||
	    md_is(scope, LLVMDILexicalBlockFileMetadataKind))
		return md_operand(l->ctx, scope, MD_BLOCK_SCOPE);
	return NULL;
}

void low_debug_global(struct lower *l, uint32_t global, LLVMValueRef v)
{
	LLVMMetadataRef var = global_variable(l, v), scope;
	const uint32_t *func;
	struct mdvec ops = {0};
	struct ir_global *g;
	uint32_t type;

	if (!var)
		return;
	md_operands(&ops, l->ctx, var);
	type = ditype_get(&l->di, operand(&ops, MD_VARIABLE_TYPE));
	g = &l->m->globals.v[global];
	g->type = type;
	g->src = name_operand(l, &ops, MD_VARIABLE_NAME);
	g->pos = line_pos(low_file(l, LLVMDIVariableGetFile(var)), LLVMDIVariableGetLine(var));
	scope = LLVMDIVariableGetScope(var);
	for (unsigned i = 0; i < 1000 && scope; i++) {
		if (md_is(scope, LLVMDICompileUnitMetadataKind))
			g->unit = low_unit(l, scope);
		func = mdmap_get(&l->subprograms, scope);
		if (func && g->src[0]) {
			assert(*func > 0 && *func <= l->m->funcs.n);
			g->flags |= IR_G_LOCAL;
			g->func = *func - 1;
			g->unit = l->m->funcs.v[*func - 1].unit;
		}
		scope = outer_scope(l, scope);
	}
	vec_release(&ops);
}

/* ---- variables of a function ----------------------------------------- */

void low_func_debug(struct low_func *f)
{
	LLVMContextRef ctx = f->l->ctx;
	LLVMMetadataRef type;

	f->sp = LLVMGetSubprogram(f->fn);
	f->prologue = f->sp != NULL;
	f->next_param = 1;
	vec_clear(&f->params);
	if (!f->sp)
		return;
	type = md_operand(ctx, f->sp, MD_SUBPROGRAM_TYPE);
	md_operands(&f->params, ctx, md_operand(ctx, type, MD_SUBROUTINE_TYPES));
}

/* The number of the parameter that a variable is, 0 if it is none. */
static uint16_t take_param(struct low_func *f, LLVMMetadataRef var, LLVMMetadataRef type)
{
	LLVMContextRef ctx = f->l->ctx;

	if (!f->prologue || LLVMDIVariableGetScope(var) != f->sp)
		return 0;
	type = ditype_unqualified(ctx, type);
	for (uint32_t i = f->next_param; i < f->params.n && i <= UINT16_MAX; i++) {
		if (ditype_unqualified(ctx, operand(&f->params, i)) != type)
			continue;
		f->next_param = i + 1;
		return (uint16_t)i;
	}
	return 0;
}

/* The slot whose memory a dbg.declare names, or IR_NONE. */
static uint32_t declared_slot(struct low_func *f, LLVMValueRef addr)
{
	const ir_ref *r = valmap_get(&f->values, addr);
	struct ir_slot s = { .flags = IR_S_TEMP | IR_S_BYVAL };
	uint32_t slot;

	if (r && IR_KIND(*r) == IR_R_SLOT)
		return IR_IDX(*r);
	if (!r || IR_KIND(*r) != IR_R_VREG)
		return IR_NONE;
	for (uint32_t i = f->b.insts.n; i-- > 0;)	/* a variable-length array, just made */
		if (f->b.insts.v[i].op == IR_ALLOCA && f->b.insts.v[i].res == IR_IDX(*r))
			return (uint32_t)f->b.insts.v[i].imm;
	if (!LLVMIsAArgument(addr))
		return IR_NONE;
	/* A struct that the caller copied for us and passed by plain pointer. */
	slot = low_slot(f, &s);
	valmap_set(&f->values, addr, IR_SLOT(slot));
	return slot;
}

/* The argument that is stored into a variable, or NULL. */
static LLVMValueRef stored_argument(LLVMValueRef var)
{
	for (LLVMUseRef u = LLVMGetFirstUse(var); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == var &&
		    LLVMIsAArgument(LLVMGetOperand(user, 0)))
			return LLVMGetOperand(user, 0);
	}
	return NULL;
}

/* What points to the memory of the variable that a dbg.declare names, or NULL.  For
 * a struct that the caller passes or wants by pointer, clang may store that pointer
 * in a variable and name that one, to be dereferenced. */
static LLVMValueRef declared_address(struct low_func *f, const struct dbg *d)
{
	if (d->v && d->expr == f->l->deref_expr && LLVMIsAAllocaInst(d->v))
		return stored_argument(d->v);
	return d->expr == f->l->no_expr ? d->v : NULL;
}

static void name_slot(struct low_func *f, uint32_t slot, LLVMMetadataRef var, LLVMMetadataRef loc)
{
	struct lower *l = f->l;
	struct mdvec ops = {0};
	struct ir_pos at = low_pos(l, loc);
	struct ir_slot *s;
	const char *name;
	uint32_t type;

	assert(slot < f->b.slots.n && f->vars.n == f->b.slots.n);
	md_operands(&ops, l->ctx, var);
	name = name_operand(l, &ops, MD_VARIABLE_NAME);
	type = ditype_get(&l->di, operand(&ops, MD_VARIABLE_TYPE));
	s = &f->b.slots.v[slot];
	if (!str_starts(name, "__vla_expr")) {
		s->name = name;
		s->type = type;
		s->param = take_param(f, var, operand(&ops, MD_VARIABLE_TYPE));
		if (name[0] || s->param)
			s->flags &= (uint16_t)~IR_S_TEMP;
		s->pos = line_pos(low_file(l, LLVMDIVariableGetFile(var)), LLVMDIVariableGetLine(var));
		if (s->pos.line == at.line && s->pos.file == at.file)
			s->pos.col = at.col;
		f->vars.v[slot].scope = LLVMDIVariableGetScope(var);
	}
	vec_release(&ops);
}

static void declare(struct low_func *f, const struct dbg *d)
{
	LLVMValueRef addr = declared_address(f, d);
	uint32_t slot, known = f->b.slots.n;

	if (!addr || !md_is(d->var, LLVMDILocalVariableMetadataKind))
		return;
	slot = declared_slot(f, addr);
	if (slot == IR_NONE || f->b.slots.v[slot].name[0])
		return;
	name_slot(f, slot, d->var, d->loc);
	if (slot == known) {		/* made by declared_slot: it starts as the caller's copy */
		struct ir_slot *s = &f->b.slots.v[slot];

		s->size = f->l->m->types.v[s->type].size;
		for (uint32_t i = 0; i < LLVMCountParams(f->fn); i++)
			if (LLVMGetParam(f->fn, i) == addr)
				low_memcpy(f, IR_SLOT(slot), low_param(f, i), s->size);
	}
}

/* For a parameter without memory debug information gives the value instead. */
static void declare_value(struct low_func *f, const struct dbg *d)
{
	if (f->prologue && d->v && LLVMIsAArgument(d->v) &&
	    md_is(d->var, LLVMDILocalVariableMetadataKind))
		take_param(f, d->var, md_operand(f->l->ctx, d->var, MD_VARIABLE_TYPE));
}

/* ---- calls and records ----------------------------------------------- */

#if LLVM_VERSION_MAJOR >= 22

void low_debug_prepare(LLVMModuleRef m)
{
	(void)m;
}

/* Replaces out by what the records before an instruction say.  False: the instruction itself is none. */
static bool dbgs_at(struct dbgvec *out, struct low_func *f, LLVMValueRef in)
{
	LLVMDbgRecordRef r;

	(void)f;
	vec_clear(out);
	for (r = LLVMGetFirstDbgRecord(in); r; r = LLVMGetNextDbgRecord(r)) {
		LLVMDbgRecordKind kind = LLVMDbgRecordGetKind(r);
		struct dbg d = { .declares = kind == LLVMDbgRecordDeclare };

		if (kind != LLVMDbgRecordDeclare && kind != LLVMDbgRecordValue)
			continue;
		d.v = LLVMDbgVariableRecordGetValue(r, 0);
		d.var = LLVMDbgVariableRecordGetVariable(r);
		d.expr = LLVMDbgVariableRecordGetExpression(r);
		d.loc = LLVMDbgRecordGetDebugLoc(r);
		vec_push(out, d);
	}
	return false;
}

#else

#if LLVM_VERSION_MAJOR == 21
/* This version has records that cannot be read, and its C interface has no way to make calls of
 * them; this is the C++ one, BasicBlock::convertFromNewDbgValues(). */
void llvm__make_calls(LLVMBasicBlockRef) __asm__("_ZN4llvm10BasicBlock23convertFromNewDbgValuesEv");

void low_debug_prepare(LLVMModuleRef m)
{
	LLVMBasicBlockRef bb;

	for (LLVMValueRef fn = LLVMGetFirstFunction(m); fn; fn = LLVMGetNextFunction(fn))
		for (bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
			llvm__make_calls(bb);
}
#else
void low_debug_prepare(LLVMModuleRef m)
{
	LLVMSetIsNewDbgInfoFormat(m, 0);
}
#endif

/* The value described by the first argument of a debug intrinsic, or NULL. */
static LLVMValueRef described(LLVMValueRef call)
{
	LLVMValueRef md = LLVMGetOperand(call, 0), v = NULL;
	LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(md));

	if (kind == LLVMLocalAsMetadataMetadataKind || kind == LLVMConstantAsMetadataMetadataKind)
		LLVMGetMDNodeOperands(md, &v);
	return v;
}

/* Replaces out by what a debug intrinsic says; nothing for other instructions.  True if it is one. */
static bool dbgs_at(struct dbgvec *out, struct low_func *f, LLVMValueRef in)
{
	const ir_ref *callee;
	struct dbg d = {0};

	vec_clear(out);
	if (LLVMGetInstructionOpcode(in) != LLVMCall)
		return false;
	callee = valmap_get(&f->l->syms, LLVMGetCalledValue(in));
	if (!callee || (*callee != LOW_PSEUDO(INTR_DECLARE) && *callee != LOW_PSEUDO(INTR_DBG_VALUE)))
		return false;
	d.declares = *callee == LOW_PSEUDO(INTR_DECLARE);
	d.v = described(in);
	d.var = LLVMValueAsMetadata(LLVMGetOperand(in, 1));
	d.expr = LLVMValueAsMetadata(LLVMGetOperand(in, 2));
	d.loc = LLVMInstructionGetDebugLoc(in);
	vec_push(out, d);
	return true;
}

#endif

bool low_is_declared(struct low_func *f, LLVMValueRef arg)
{
	struct dbgvec at = {0};
	LLVMBasicBlockRef bb;
	bool found = false;
	LLVMValueRef in;

	if (!f->sp)
		return false;
	for (bb = LLVMGetFirstBasicBlock(f->fn); bb && !found; bb = LLVMGetNextBasicBlock(bb)) {
		for (in = LLVMGetFirstInstruction(bb); in && !found; in = LLVMGetNextInstruction(in)) {
			dbgs_at(&at, f, in);
			for (uint32_t i = 0; i < at.n; i++)
				found |= at.v[i].declares && declared_address(f, &at.v[i]) == arg;
		}
	}
	vec_release(&at);
	return found;
}

bool low_read_debug(struct low_func *f, LLVMValueRef in)
{
	struct dbgvec at = {0};
	bool done = dbgs_at(&at, f, in);

	for (uint32_t i = 0; i < at.n; i++) {
		if (at.v[i].declares)
			declare(f, &at.v[i]);
		else
			declare_value(f, &at.v[i]);
	}
	vec_release(&at);
	return done;
}

/* ---- cleanup functions ----------------------------------------------- */

void low_note_cleanup(struct low_func *f, LLVMValueRef call, uint32_t inst)
{
	LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(call);
	struct low_cleanup c = { .inst = inst };

	assert(f->b.insts.v[inst].op == IR_CALL && IR_KIND(f->b.insts.v[inst].ops[1]) == IR_R_SLOT);
	if (!loc)
		return;
	c.scope = LLVMDILocationGetScope(loc);
	vec_push(&f->cleanups, c);
}

/* A DILexicalBlockFile is no scope of its own. */
static LLVMMetadataRef real_scope(struct lower *l, LLVMMetadataRef scope)
{
	for (unsigned i = 0; i < 1000 && md_is(scope, LLVMDILexicalBlockFileMetadataKind); i++)
		scope = outer_scope(l, scope);
	return scope;
}

static bool encloses(struct lower *l, LLVMMetadataRef outer, LLVMMetadataRef inner)
{
	for (unsigned i = 0; i < 1000 && inner; i++) {
		inner = real_scope(l, outer_scope(l, inner));
		if (inner == outer)
			return true;
	}
	return false;
}

static bool same_pos(struct ir_pos a, struct ir_pos b)
{
	return a.line && a.file == b.file && a.line == b.line && a.col == b.col;
}

void low_mark_cleanups(struct low_func *f)
{
	for (uint32_t i = 0; i < f->cleanups.n; i++) {
		struct ir_inst *in = &f->b.insts.v[f->cleanups.v[i].inst];
		uint32_t slot = IR_IDX(in->ops[1]);
		LLVMMetadataRef var = real_scope(f->l, f->vars.v[slot].scope);
		LLVMMetadataRef at = real_scope(f->l, f->cleanups.v[i].scope);

		if (!var)
			continue;
		/* A function that one macro makes has one position for all of its code. */
		if (encloses(f->l, at, var) ||
		    (var == f->sp && at == f->sp && same_pos(in->pos, f->ret_pos) &&
		     !same_pos(in->pos, f->b.slots.v[slot].pos)))
			in->flags |= IR_F_IMPLICIT;
	}
}
