/*
 * lower_const.c - constants that are operands by themselves, and initialisers.
 *
 * An address constant folds to symbol + offset; the casts around it carry no
 * meaning of their own.  What cannot be folded although it holds the address of
 * a symbol (an address cut to 32 bits, a vector of addresses) is left to
 * lower_func.c, which computes it by instructions where it is used.
 *
 * An initialiser lists every pointer, and integers up to a limit, so that a big
 * table of numbers costs nothing.  Where this errs: a folded address in an
 * initialiser that took more than additions (tagging by xor, say) is listed as
 * the plain address of its symbol.
 */
#include "front/lower_int.h"

#define MAX_INTS 32		/* integers listed of one initialiser */
#define MAX_DATA 4096		/* elements looked at of one array of numbers */
#define MAX_STEPS 1000		/* parts looked at of one constant expression */

ir_ref low_int_const(struct lower *l, int64_t x, unsigned bits)
{
	if (bits > 64)
		return IR_CONST;
	if (bits < 64)
		x = (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits);
	return ir_int(l->m, x);
}

/* ---- symbol + offset ------------------------------------------------- */

/* A folded constant: sym + off, or the number off if sym is IR_NULL. */
struct addr {
	ir_ref sym;
	int64_t off;
};

/* Folds a constant.  False: that is not possible, or more than *steps steps would be
 * necessary: an expression whose parts are shared is small, but may have no end. */
static bool fold(struct lower *l, LLVMValueRef c, struct addr *a, unsigned *steps);

static int64_t add_wrap(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static bool fold_gep(struct lower *l, LLVMValueRef c, struct addr *a, unsigned *steps)
{
	struct low_type *t = low_type(l, LLVMGetGEPSourceElementType(c));
	unsigned n = (unsigned)LLVMGetNumOperands(c);

	if (!fold(l, LLVMGetOperand(c, 0), a, steps))
		return false;
	for (unsigned i = 1; i < n; i++) {
		LLVMValueRef v = LLVMGetOperand(c, i);
		int64_t idx;

		if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
			return false;
		idx = LLVMConstIntGetSExtValue(v);
		if (i > 1 && t->kind == LLVMStructTypeKind) {
			if (idx < 0 || (uint64_t)idx >= t->n)
				return false;
			a->off = add_wrap(a->off, (int64_t)t->offsets[idx]);
			t = t->members[idx];
			continue;
		}
		if (i > 1) {
			if (!t->members)
				return false;
			t = t->members[0];
		}
		a->off = add_wrap(a->off, (int64_t)((uint64_t)idx * t->size));
	}
	return true;
}

static bool fold_sum(struct lower *l, LLVMValueRef c, struct addr *a, bool minus, unsigned *steps)
{
	struct addr b;

	if (!fold(l, LLVMGetOperand(c, 0), a, steps) || !fold(l, LLVMGetOperand(c, 1), &b, steps))
		return false;
	if (minus) {
		if (b.sym != IR_NULL && b.sym != a->sym)
			return false;
		if (b.sym != IR_NULL)
			a->sym = IR_NULL;	/* the distance of two places in one object */
		a->off = add_wrap(a->off, (int64_t)(0 - (uint64_t)b.off));
		return true;
	}
	if (a->sym != IR_NULL && b.sym != IR_NULL)
		return false;
	if (a->sym == IR_NULL)
		a->sym = b.sym;
	a->off = add_wrap(a->off, b.off);
	return true;
}

static bool fold_expr(struct lower *l, LLVMValueRef c, struct addr *a, unsigned *steps)
{
	struct low_type *t = low_type_of(l, c);

	if (t->cls != IR_C_INT && t->cls != IR_C_PTR)
		return false;
	switch (LLVMGetConstOpcode(c)) {
	case LLVMGetElementPtr:
		return fold_gep(l, c, a, steps);
	case LLVMAdd:
		return t->bits == 64 && fold_sum(l, c, a, false, steps);
	case LLVMSub:
		return t->bits == 64 && fold_sum(l, c, a, true, steps);
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMIntToPtr:
	case LLVMPtrToInt:
		if (!fold(l, LLVMGetOperand(c, 0), a, steps))
			return false;
		return t->bits >= l->ptr_bits || a->sym == IR_NULL;
	case LLVMTrunc:
		return fold(l, LLVMGetOperand(c, 0), a, steps) && a->sym == IR_NULL;
	default:
		return false;
	}
}

static bool fold(struct lower *l, LLVMValueRef c, struct addr *a, unsigned *steps)
{
	const ir_ref *sym;

	a->sym = IR_NULL;
	a->off = 0;
	if (*steps == 0)
		return false;
	--*steps;
	switch (LLVMGetValueKind(c)) {
	case LLVMConstantPointerNullValueKind:
		return true;
	case LLVMConstantIntValueKind:
		if (LLVMGetIntTypeWidth(LLVMTypeOf(c)) > 64)
			return false;
		a->off = LLVMConstIntGetSExtValue(c);
		return true;
	case LLVMFunctionValueKind:
	case LLVMGlobalVariableValueKind:
	case LLVMGlobalAliasValueKind:
		sym = valmap_get(&l->syms, c);
		if (!sym || LOW_IS_PSEUDO(*sym) || IR_KIND(*sym) == IR_R_SPECIAL)
			return false;
		a->sym = *sym;
		if (IR_KIND(*sym) == IR_R_ADDR) {	/* an alias of a part */
			a->sym = l->m->addrs.v[IR_IDX(*sym)].base;
			a->off = l->m->addrs.v[IR_IDX(*sym)].offset;
		}
		assert(IR_KIND(a->sym) == IR_R_GLOBAL || IR_KIND(a->sym) == IR_R_FUNC);
		return true;
	case LLVMConstantPtrAuthValueKind:
		return fold(l, LLVMGetOperand(c, 0), a, steps);
	case LLVMConstantExprValueKind:
		return fold_expr(l, c, a, steps);
	default:
		return false;
	}
}

/* ---- what cannot be folded ------------------------------------------- */

/* The one symbol whose address a constant holds; IR_NULL if none, IR_CONST if
 * several.  Looks at no more than *budget parts. */
static ir_ref symbol_in(struct lower *l, LLVMValueRef c, unsigned *budget)
{
	const ir_ref *sym = valmap_get(&l->syms, c);
	ir_ref found = IR_NULL;
	int n;

	if (sym)
		return LOW_IS_PSEUDO(*sym) ? IR_CONST : *sym;
	if (*budget == 0)
		return IR_CONST;
	--*budget;
	switch (LLVMGetValueKind(c)) {
	case LLVMConstantExprValueKind:
	case LLVMConstantVectorValueKind:
	case LLVMConstantStructValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMConstantPtrAuthValueKind:
		break;
	default:
		return IR_NULL;
	}
	n = LLVMGetNumOperands(c);
	for (int i = 0; i < n; i++) {
		ir_ref r = symbol_in(l, LLVMGetOperand(c, (unsigned)i), budget);

		if (r != IR_NULL && found != IR_NULL && r != found)
			return IR_CONST;
		if (r != IR_NULL)
			found = r;
	}
	return found;
}

static bool holds_symbol(struct lower *l, LLVMValueRef c)
{
	unsigned budget = MAX_STEPS;

	return symbol_in(l, c, &budget) != IR_NULL;
}

static bool is_distance(LLVMValueRef c)
{
	while (LLVMGetConstOpcode(c) == LLVMTrunc && LLVMIsAConstantExpr(LLVMGetOperand(c, 0)))
		c = LLVMGetOperand(c, 0);
	return LLVMGetConstOpcode(c) == LLVMSub;
}

bool low_const(struct lower *l, LLVMValueRef c, ir_ref *r)
{
	unsigned steps = MAX_STEPS;
	struct low_type *t;
	struct addr a;

	switch (LLVMGetValueKind(c)) {
	case LLVMConstantIntValueKind:
		t = low_type_of(l, c);
		*r = t->bits > 64 || t->cls != IR_C_INT ? IR_CONST :
		     ir_int(l->m, LLVMConstIntGetSExtValue(c));
		return true;
	case LLVMConstantPointerNullValueKind:
		*r = IR_NULL;
		return true;
	case LLVMUndefValueValueKind:
	case LLVMPoisonValueValueKind:
		*r = IR_UNDEF;
		return true;
	case LLVMFunctionValueKind:
	case LLVMGlobalVariableValueKind:
	case LLVMGlobalAliasValueKind:
	case LLVMConstantPtrAuthValueKind:
	case LLVMConstantExprValueKind:
		break;
	case LLVMGlobalIFuncValueKind:
		return false;
	case LLVMConstantVectorValueKind:
	case LLVMConstantStructValueKind:
	case LLVMConstantArrayValueKind:
		*r = IR_CONST;
		return !holds_symbol(l, c);
	default:	/* float, label, number table, token, ... */
		*r = IR_CONST;
		return true;
	}
	if (fold(l, c, &a, &steps)) {
		t = low_type_of(l, c);
		if (a.sym != IR_NULL)
			*r = ir_addr(l->m, a.sym, a.off);
		else
			*r = a.off || t->cls == IR_C_INT ? low_int_const(l, a.off, t->bits) : IR_NULL;
		return true;
	}
	*r = IR_CONST;
	if (LLVMGetValueKind(c) != LLVMConstantExprValueKind)
		return true;
	/* The distance of two symbols is a number, whatever they are. */
	return is_distance(c) || !holds_symbol(l, c);
}

/* ---- initialisers ---------------------------------------------------- */

struct frame {			/* an aggregate that is being walked */
	LLVMValueRef c;
	struct low_type *t;
	uint64_t offset;
	uint64_t next, n;	/* members */
};

struct init_walk {
	struct lower *l;
	VEC(struct frame) stack;
	VEC(struct ir_init) out;
	unsigned ints;
	bool partial;
};

static void add_init(struct init_walk *w, LLVMValueRef c, const struct low_type *t, uint64_t offset)
{
	struct ir_init init = { .offset = offset, .size = (uint16_t)MIN(t->size, UINT16_MAX) };
	unsigned budget = MAX_STEPS;

	if (LLVMIsNull(c) || LLVMIsUndef(c) || !t->size)
		return;
	if (offset + t->size > low_object_size(UINT64_MAX)) {
		w->partial = true;
		return;
	}
	if (!low_const(w->l, c, &init.value) || LOW_IS_PSEUDO(init.value)) {
		init.value = symbol_in(w->l, c, &budget);
		if (init.value == IR_NULL)
			init.value = IR_CONST;
	}
	switch (IR_KIND(init.value)) {
	case IR_R_GLOBAL:
	case IR_R_FUNC:
	case IR_R_ADDR:
		break;
	case IR_R_INT:
	case IR_R_SPECIAL:
		if (init.value == IR_NULL || init.value == IR_UNDEF)
			return;
		if (w->ints++ >= MAX_INTS) {
			w->partial = true;
			return;
		}
		break;
	default:
		return;
	}
	vec_push(&w->out, init);
}

/* A vector of pointers inside an initialiser, or of numbers. */
static void walk_vector(struct init_walk *w, LLVMValueRef c, struct low_type *t, uint64_t offset)
{
	for (unsigned i = 0; i < t->count; i++) {
		LLVMValueRef e = LLVMGetAggregateElement(c, i);

		if (!e || t->members[0]->bits % 8) {
			w->partial = true;
			return;
		}
		add_init(w, e, t->members[0], offset + (uint64_t)i * (t->members[0]->bits / 8));
	}
}

static void enter(struct init_walk *w, LLVMValueRef c, struct low_type *t, uint64_t offset)
{
	struct frame f = { .c = c, .t = t, .offset = offset };

	if (LLVMIsNull(c) || LLVMIsUndef(c))
		return;
	switch (LLVMGetValueKind(c)) {
	case LLVMConstantStructValueKind:
	case LLVMConstantArrayValueKind:
		f.n = (uint64_t)LLVMGetNumOperands(c);
		vec_push(&w->stack, f);
		return;
	case LLVMConstantDataArrayValueKind:
		f.n = t->count;
		vec_push(&w->stack, f);
		return;
	case LLVMConstantVectorValueKind:
	case LLVMConstantDataVectorValueKind:
		walk_vector(w, c, t, offset);
		return;
	default:
		add_init(w, c, t, offset);
		return;
	}
}

/* One step of the walk: the next member of the innermost aggregate. */
static void step(struct init_walk *w)
{
	struct frame *f = &vec_last(&w->stack);
	struct low_type *t;
	uint64_t offset;
	LLVMValueRef c;

	assert(f->next <= f->n);
	if (f->next == f->n) {
		w->stack.n--;
		return;
	}
	if (f->t->kind == LLVMStructTypeKind) {
		assert(f->next < f->t->n);
		t = f->t->members[f->next];
		offset = f->offset + f->t->offsets[f->next];
	} else {
		t = f->t->members[0];
		offset = f->offset + f->next * t->size;
	}
	if (LLVMGetValueKind(f->c) == LLVMConstantDataArrayValueKind) {
		if (w->ints > MAX_INTS || f->next >= MAX_DATA) {
			w->partial = true;
			w->stack.n--;
			return;
		}
		c = LLVMGetAggregateElement(f->c, (unsigned)f->next);
	} else {
		c = LLVMGetOperand(f->c, (unsigned)f->next);
	}
	f->next++;
	enter(w, c, t, offset);
}

static bool is_byte_array(const struct low_type *t)
{
	return t->kind == LLVMArrayTypeKind && t->members[0]->cls == IR_C_INT && t->members[0]->bits == 8;
}

/* A string literal: the global gets its text.  clang makes literals private, constant
 * and mergeable; __func__ and the initial value of a local array, too. */
static bool string_literal(struct lower *l, struct ir_global *g, LLVMValueRef v,
			   const struct low_type *t)
{
	LLVMValueRef init = LLVMGetInitializer(v);
	const char *s = "";
	size_t n = 0;

	if (!is_byte_array(t) || !LLVMIsGlobalConstant(v) || LLVMGetLinkage(v) != LLVMPrivateLinkage ||
	    LLVMGetUnnamedAddress(v) != LLVMGlobalUnnamedAddr)
		return false;
	if (LLVMGetValueKind(init) == LLVMConstantDataArrayValueKind && LLVMIsConstantString(init))
		s = LLVMGetAsString(init, &n);
	else if (!LLVMIsNull(init))
		return false;
	g->flags |= IR_G_STRING;
	g->text = ir_intern_n(l->m, s, MIN(n, 63));
	return true;
}

void low_initialiser(struct lower *l, uint32_t global, LLVMValueRef v)
{
	struct low_type *t = low_type(l, LLVMGlobalGetValueType(v));
	struct init_walk w = { .l = l };
	struct ir_global *g;

	assert(global < l->m->globals.n && !l->m->globals.v[global].ninits);
	if (string_literal(l, &l->m->globals.v[global], v, t))
		return;
	enter(&w, LLVMGetInitializer(v), t, 0);
	while (w.stack.n)
		step(&w);
	g = &l->m->globals.v[global];
	if (w.partial)
		g->flags |= IR_G_PARTIAL;
	g->ninits = w.out.n;
	if (w.out.n)
		g->inits = arena_copy(&l->m->arena, w.out.v, w.out.n * sizeof(*w.out.v));
	vec_release(&w.stack);
	vec_release(&w.out);
}
