/*
 * constrain.c - a program as constraints: Table 3 of the paper, and the rest of C.
 *
 * needs: functions in SSA form, wrappers.c, casts.c, and the objects of objects.c.
 * gives: nodes for all values, copy edges and constraints for solve.c.
 *
 * Narrow integers and floats cannot hold a pointer: nothing flows into them.  A 64-
 * bit integer may hold one: pointers travel through unions, uintptr_t and coerced
 * struct arguments.  Arithmetic on a pointer stays within its object:
 *
 *   - an array index keeps the offset, since an array is one cell;
 *   - a constant number of bytes changes the offset in objects known to be structs if
 *     the code looks like container_of, and keeps the offset in others (the p += 4 of
 *     a parser);
 *   - an unknown number of bytes keeps the offset.
 */
#include "pta/priv.h"

static bool may_hold_pointer(uint8_t cls, uint16_t bits)
{
	return cls == IR_C_PTR || cls == IR_C_OPAQUE || cls == IR_C_AGG || (cls == IR_C_INT && bits >= 64);
}

/* ---- operands as nodes ----------------------------------------------- */

static uint32_t address_node(struct pta *p, uint32_t loc)
{
	bool is_new;
	uint32_t *at, node;

	if (loc == IR_NONE)
		return IR_NONE;
	assert(loc < p->locs.n);
	at = u64map_put(&p->addr_node, loc, &is_new);
	if (is_new) {
		*at = node = pta__new_node(p);
		pta__point(p, node, loc);
		return node;
	}
	return *at;
}

uint32_t pta__node(struct pta *p, uint32_t func, ir_ref r)
{
	r = ssa_ref(&p->ssa[func], r);
	if (IR_KIND(r) == IR_R_VREG) {
		assert(IR_IDX(r) < p->ssa[func].nvalues);
		return p->value_node[func] + IR_IDX(r);
	}
	return address_node(p, pta__const_loc(p, func, r));
}

/* The node of leaf k of an aggregate value; leaf 0 is the value's own. */
static uint32_t leaf_node(struct pta *p, uint32_t node, uint32_t k)
{
	bool is_new;
	uint32_t *at;

	if (!k)
		return node;
	at = u64map_put(&p->leaf_node, PTA_KEY(node, k), &is_new);
	if (is_new) {
		uint32_t made = pta__new_node(p);

		at = u64map_get(&p->leaf_node, PTA_KEY(node, k));
		*at = made;
	}
	return *at;
}

/* dst >= *addr.  A constant address names its cell: no constraint is needed.
 * Nothing else flows into dst: the node is the result of one instruction. */
static void load(struct pta *p, uint32_t func, ir_ref addr, uint32_t dst)
{
	uint32_t loc = pta__const_loc(p, func, ssa_ref(&p->ssa[func], addr));

	if (loc != IR_NONE) {
		address_node(p, loc);	/* so that pta_points_to() can answer */
		pta__same(p, p->locs.v[loc].node, dst);
	} else {
		pta__con_alone(p, pta__node(p, func, addr), CON_LOAD, dst, 0, 0);
	}
}

/* *addr >= src */
static void store(struct pta *p, uint32_t func, ir_ref addr, uint32_t src)
{
	uint32_t loc = pta__const_loc(p, func, ssa_ref(&p->ssa[func], addr));

	if (loc != IR_NONE) {
		address_node(p, loc);
		pta__edge(p, src, pta__store_node(p, loc));
	} else {
		pta__con(p, pta__node(p, func, addr), CON_STORE, src, 0);
	}
}

/* The struct that the type is; 0 for any other: a union says nothing of what lies there. */
static uint32_t struct_type(const struct pta *p, uint32_t type)
{
	type = ir_type_strip(p->m, type);
	return p->m->types.v[type].kind == IR_T_STRUCT ? type : 0;
}

/* dst >= base + off, the address of a member of the struct `type` (0 if unknown) */
static void offset(struct pta *p, uint32_t func, ir_ref base, int64_t off, uint32_t dst, uint32_t type)
{
	uint32_t loc = pta__const_loc(p, func, ssa_ref(&p->ssa[func], base));

	if (loc != IR_NONE)
		pta__point(p, dst, pta__loc(p, p->locs.v[loc].obj, (int64_t)p->locs.v[loc].off + off));
	else if (off || type)
		pta__con_alone(p, pta__node(p, func, base), CON_FIELD, dst, off, type);
	else
		pta__same(p, pta__node(p, func, base), dst);
}

/* A constant number of bytes further on.  A pointer to a struct may get anywhere in
 * the object around that struct.  Others only get back to the object's beginning:
 * otherwise a character pointer in a loop would come to every offset. */
static void shift(struct pta *p, uint32_t func, ir_ref base, int64_t off, uint32_t dst)
{
	uint32_t node = pta__node(p, func, base);
	bool walks = node == IR_NONE || !pta__is_struct(p, p->nodes.v[pta__rep(p, node)].want);

	if (walks && off >= 0)
		offset(p, func, base, 0, dst, 0);
	else
		pta__con_alone(p, node, CON_SHIFT, dst, off, walks);
}

/* *(addr + off) >= src */
static void store_at(struct pta *p, uint32_t func, ir_ref addr, int64_t off, uint32_t src)
{
	uint32_t at;

	if (!off) {
		store(p, func, addr, src);
		return;
	}
	at = pta__new_node(p);
	offset(p, func, addr, off, at, 0);
	pta__con(p, at, CON_STORE, src, 0);
}

/* Is the node declared as a pointer to characters? */
static bool is_of_text(struct pta *p, uint32_t node)
{
	uint32_t want = p->nodes.v[pta__rep(p, node)].want;

	return want && want != WANT_NOTHING && p->m->types.v[want].size == 1;
}

/* The same of an operand, also where no variable declares its type: an array of characters in a struct. */
static bool is_to_text(const struct pta *p, uint32_t func, ir_ref r)
{
	const struct ssa *s = &p->ssa[func];
	const struct ir_inst *d = ssa_def(s, ssa_ref(s, r));

	for (int depth = 0; depth < 16 && d && d->imm == 1; depth++) {
		if (d->op != IR_ELEM && d->op != IR_INDEX)
			break;
		d = ssa_def(s, r = ssa_ref(s, d->ops[0]));
	}
	return p->m->types.v[ir_type_strip(p->m, pta__loaded_type(p, func, r))].size == 1;
}

/* What is copied from or to a char * is taken for text: structs that are moved through a
 * variable of that type are not followed. */
uint32_t pta__add_copy(struct pta *p, uint32_t to, uint32_t from, uint64_t size)
{
	struct copy c = { .size = size };
	uint32_t *at;
	bool is_new;

	if (to == IR_NONE || from == IR_NONE || is_of_text(p, to) || is_of_text(p, from))
		return IR_NONE;
	to = pta__rep(p, to);
	from = pta__rep(p, from);
	c.to_want = p->nodes.v[to].want;
	c.from_want = p->nodes.v[from].want;
	/* sizes beyond 2 GB are all the same */
	at = conmap_put(&p->copy_at, (struct con_key){ to, (int32_t)MIN(size, INT32_MAX), from, 0 }, &is_new);
	if (!is_new)
		return *at;
	*at = p->copies.n;
	vec_push(&p->copies, c);
	pta__con(p, from, CON_COPY_FROM, p->copies.n - 1, 0);
	pta__con(p, to, CON_COPY_TO, p->copies.n - 1, 0);
	return p->copies.n - 1;
}

/* ---- calls ----------------------------------------------------------- */

static const struct ir_inst *site_inst(const struct pta *p, const struct site *s)
{
	const struct ir_inst *in = &p->m->funcs.v[s->func].insts[s->inst];

	assert(in->op == IR_CALL);
	return in;
}

static uint32_t result_node(const struct pta *p, const struct site *s)
{
	const struct ir_inst *in = site_inst(p, s);

	return in->res == IR_NONE ? IR_NONE : p->value_node[s->func] + in->res;
}

static uint32_t arg_node(struct pta *p, const struct site *s, uint32_t arg)
{
	const struct ir_inst *in = site_inst(p, s);

	return arg + 1 < in->nops ? pta__node(p, s->func, in->ops[arg + 1]) : IR_NONE;
}

/* Inside the wrapper, too, the calls that make the object give this one: so
 * whatever a constructor, or one that it calls, stores in its object is found there. */
static void show_inside(struct pta *p, uint32_t callee, const struct pta_handout *h, uint32_t loc, int depth)
{
	for (uint32_t i = 0; i < h->n && depth < 8; i++) {
		const struct pta_made *made = &h->made[i];
		const struct ir_inst *in = &p->m->funcs.v[callee].insts[made->inst];
		const struct ir_func *g = ir_callee(p->m, in);
		const struct pta_wrapper *w = g ? p->wrapper[g - p->m->funcs.v] : NULL;
		const struct pta_handout *inner = w && made->nth < w->nouts ? &w->out[made->nth] : NULL;
		int64_t off = inner && inner->param == IR_NONE ? inner->off : 0;

		assert(made->arg < in->nops && (made->arg || in->res != IR_NONE));
		if (!made->arg)
			pta__point(p, p->value_node[callee] + in->res, pta__loc(p, p->locs.v[loc].obj, off));
		else if (h->param == IR_NONE || made->store != IR_NONE)
			store_at(p, callee, in->ops[made->arg], made->arg_off, address_node(p, loc));
		if (inner && inner->filled)
			show_inside(p, (uint32_t)(g - p->m->funcs.v), inner, loc, depth + 1);
	}
}

/* The call gets the object, as the k-th that it makes: a pointer into the object is its result, or is
 * stored through an argument. */
static void hand_out(struct pta *p, uint32_t site, unsigned k, const struct pta_handout *h, uint32_t obj)
{
	struct site s = p->sites.v[site];
	ir_ref to;

	if (h->param == IR_NONE && result_node(p, &s) != IR_NONE)
		pta__point(p, result_node(p, &s), pta__loc(p, obj, h->off));
	if (h->param == IR_NONE || pta__handed_on(p, s.func, s.inst, k))
		return;
	assert(h->param + 1 < site_inst(p, &s)->nops);
	to = site_inst(p, &s)->ops[h->param + 1];
	store_at(p, s.func, to, h->off, address_node(p, pta__loc(p, obj, 0)));
}

/* A call through a pointer, as of `create` in a table of implementations, may reach wrappers that make
 * structs of different types.  One object cannot be all of them: what the second wrapper stores in its own
 * object would be lost. */
static bool is_of_other_type(const struct pta *p, const struct pta_obj *o, const struct pta_obj *inner)
{
	if (!o->nlocs || !o->size || !inner->size)
		return false;
	return o->type != inner->type && !pta__begins_with(p, inner->type, o->type);
}

/* The type of what the call gets by a handout, by what the caller does with it; 0 if nothing tells. */
static uint32_t handout_hint(const struct pta *p, const struct site *s, const struct pta_handout *h)
{
	if (h->off)
		return 0;
	if (h->param == IR_NONE)
		return pta__pointee_hint(p, s->func, s->inst);
	return pta__out_hint(p, s->func, s->inst, h->param + 1);
}

/* A call of a function that allocates for its caller: a new object for this
 * site. */
static void connect_handout(struct pta *p, uint32_t site, uint32_t callee, uint32_t k)
{
	const struct pta_handout *h = &p->wrapper[callee]->out[k];
	struct site s = p->sites.v[site];
	const struct ir_inst *in = site_inst(p, &s);
	uint32_t obj, loc, first = 0;
	bool other = false;

	assert(k < p->wrapper[callee]->nouts);
	if (h->param != IR_NONE && h->param + 1 >= in->nops)
		return;
	if (h->param != IR_NONE && ssa_ref(&p->ssa[s.func], in->ops[h->param + 1]) == IR_NULL)
		return;
	while (first < h->n && !pta__may_make(p, s.func, in, &h->made[first]))
		first++;
	if (first == h->n)
		return;
	obj = pta__heap_obj(p, s.func, s.inst, k, handout_hint(p, &s, h));
	for (uint32_t i = first; i < h->n; i++) {
		uint32_t inner = pta_heap_at(p, callee, h->made[i].inst, h->made[i].nth);
		struct pta_obj *o = &p->objs.v[obj];

		if (inner == IR_NONE)
			continue;
		if (!ir_callee(p->m, in) && is_of_other_type(p, o, &p->objs.v[inner])) {
			hand_out(p, site, k, h, inner);
			other = true;
			continue;
		}
		if (!o->effect) {
			o->root = p->objs.v[inner].root;
			o->effect = p->objs.v[inner].effect;
		}
		if (!o->type || (!o->nlocs && pta__begins_with(p, p->objs.v[inner].type, o->type))) {
			o->type = p->objs.v[inner].type;
			o->size = p->objs.v[inner].size;
			o->text = p->objs.v[inner].text;
			o->blank = p->objs.v[inner].blank;
		}
	}
	if (other)
		return;
	loc = pta__loc(p, obj, 0);
	if (h->filled)
		show_inside(p, callee, h, loc, 0);
	if (h->copied != IR_NONE && h->copied + 1 < in->nops) {
		uint32_t from = pta__node(p, s.func, in->ops[h->copied + 1]);

		pta__add_copy(p, address_node(p, loc), from, UINT64_MAX);
	}
	hand_out(p, site, k, h, obj);
}

static void connect_result(struct pta *p, uint32_t site, uint32_t callee)
{
	const struct ir_func *g = &p->m->funcs.v[callee];
	uint32_t res = result_node(p, &p->sites.v[site]);

	if (res == IR_NONE || g->ret_cls == IR_C_VOID)
		return;
	if (p->wrapper[callee] && p->wrapper[callee]->returns) {
		for (uint32_t i = 0; i < g->nparams; i++)
			if (p->param_flow[callee][i] & FLOW_RETURNED)
				pta__edge(p, arg_node(p, &p->sites.v[site], i), res);
		return;
	}
	pta__edge(p, p->ret_node[callee], res);
	if (site_inst(p, &p->sites.v[site])->cls == IR_C_AGG)
		for (uint32_t k = 1; k < 8; k++) {
			const uint32_t *leaf = u64map_get(&p->leaf_node, PTA_KEY(p->ret_node[callee], k));
			uint32_t from = leaf ? *leaf : IR_NONE;		/* leaf_node() may move *leaf */

			if (from != IR_NONE)
				pta__edge(p, from, leaf_node(p, res, k));
		}
}

static void connect_body(struct pta *p, uint32_t site, uint32_t callee)
{
	const struct ir_func *g = &p->m->funcs.v[callee];
	uint32_t nargs = site_inst(p, &p->sites.v[site])->nops - 1;

	for (uint32_t i = 0; i < nargs; i++) {
		uint32_t arg = arg_node(p, &p->sites.v[site], i);

		if (i < g->nparams)
			pta__edge(p, arg, p->value_node[callee] + i);
		else if (p->vararg_obj[callee] != IR_NONE)
			pta__edge(p, arg, p->locs.v[pta__loc(p, p->vararg_obj[callee], 0)].node);
	}
	for (uint32_t k = 0; p->wrapper[callee] && k < p->wrapper[callee]->nouts; k++)
		connect_handout(p, site, callee, k);
	connect_result(p, site, callee);
}

/* Can a call through a pointer mean g?  Not if g takes more arguments than the call
 * has, or values of another kind, or returns another kind than the call expects:
 * then the address of g got there by an approximation. */
static bool could_be_meant(const struct pta *p, uint32_t func, const struct ir_inst *in,
			   const struct ir_func *g)
{
	const struct ir_func *f = &p->m->funcs.v[func];

	if (in->nops - 1 < g->nparams)
		return false;
	if (ir_is_decl(g) && !(g->flags & IR_FN_VARIADIC) && in->nops - 1 != g->nparams)
		return false;	/* nobody declares a library's function wrong */
	if (in->cls != IR_C_VOID && g->ret_cls != IR_C_VOID && in->cls != g->ret_cls)
		return false;
	if (!pta__is_meant(p, f, in, g))
		return false;
	for (uint32_t i = 0; i < g->nparams; i++) {
		ir_ref arg = in->ops[i + 1];
		uint16_t bits;

		if (IR_KIND(arg) == IR_R_VREG && ir_vreg_class(f, IR_IDX(arg), &bits) != g->params[i].cls)
			return false;
	}
	return true;
}

void pta__connect(struct pta *p, uint32_t site, uint32_t callee)
{
	const struct ir_func *g = &p->m->funcs.v[callee];
	const struct ir_inst *in = site_inst(p, &p->sites.v[site]);

	assert(callee < p->m->funcs.n);
	if (!ir_callee(p->m, in) && !could_be_meant(p, p->sites.v[site].func, in, g))
		return;
	if (!sbits_set(&p->sites.v[site].callees, callee))
		return;
	if (!ir_is_decl(g))
		connect_body(p, site, callee);
	else if (p->model[callee])
		pta__apply_model(p, site, p->model[callee], callee);
	else
		pta__connect_unknown(p, site);
}

/* The call reaches code out of sight, which keeps its arguments and returns unknown memory. */
void pta__connect_unknown(struct pta *p, uint32_t site)
{
	uint32_t loc = pta__loc(p, p->blob[PTA_B_UNKNOWN], 0), res;
	uint32_t nargs = site_inst(p, &p->sites.v[site])->nops - 1;

	if (p->sites.v[site].unknown)
		return;
	p->sites.v[site].unknown = true;
	for (uint32_t i = 0; i < nargs; i++)
		pta__edge(p, arg_node(p, &p->sites.v[site], i), p->given_away);
	res = result_node(p, &p->sites.v[site]);
	if (res != IR_NONE)
		pta__point(p, res, loc);
}

void pta__connect_callback(struct pta *p, uint32_t callback, uint32_t callee)
{
	struct callback cb = p->callbacks.v[callback];
	const struct ir_func *g = &p->m->funcs.v[callee];
	struct site s = p->sites.v[cb.site];
	struct pta_callback out = { s.inst, callee, cb.effect };

	assert(cb.effect->kind == MODEL_E_CALL && cb.nargs <= ARRAY_LEN(cb.args));
	for (uint32_t i = 0; i < p->called_back[s.func].n; i++) {
		const struct pta_callback *x = &p->called_back[s.func].v[i];

		if (x->inst == out.inst && x->callee == callee && x->effect == out.effect)
			return;
	}
	vec_push(&p->called_back[s.func], out);
	if (ir_is_decl(g))
		return;		/* free as a destructor and the like: nothing to connect */
	for (uint32_t i = 0; i < cb.nargs && i < g->nparams; i++)
		pta__edge(p, cb.args[i], p->value_node[callee] + i);
}

static void add_call(struct pta *p, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[inst];
	const struct ir_func *g = ir_callee(p->m, in);
	uint32_t site = p->sites.n;

	assert(!u64map_get(&p->site_at, PTA_KEY(func, inst)));
	vec_push(&p->sites, ((struct site){ .func = func, .inst = inst }));
	u64map_set(&p->site_at, PTA_KEY(func, inst), site);
	if (g) {
		pta__connect(p, site, (uint32_t)(g - p->m->funcs.v));
		return;
	}
	p->stats.indirect_calls++;
	pta__con(p, pta__node(p, func, in->ops[0]), CON_CALL, site, 0);
}

/* ---- instructions ---------------------------------------------------- */

static void add_varargs(struct pta *p, uint32_t func, ir_ref list)
{
	uint32_t src, at;

	if (p->vararg_obj[func] == IR_NONE)
		return;
	src = address_node(p, pta__loc(p, p->vararg_obj[func], 0));
	/* The list holds pointers to the saved registers and to the stack; where in
	 * it they are is a matter of the machine. */
	for (int off = 0; off <= 16; off += 8) {
		at = pta__new_node(p);
		offset(p, func, list, off, at, 0);
		pta__con(p, at, CON_STORE, src, 0);
	}
}

static void add_vaarg(struct pta *p, uint32_t func, const struct ir_inst *in)
{
	for (int off = 0; off <= 16; off += 8) {
		uint32_t at = pta__new_node(p), area = pta__new_node(p);

		offset(p, func, in->ops[0], off, at, 0);
		pta__con(p, at, CON_LOAD, area, 0);
		pta__con(p, area, CON_LOAD, p->value_node[func] + in->res, 0);
	}
}

/* A constant number of bytes; UINT64_MAX for any other. */
static uint64_t const_size(const struct pta *p, ir_ref r)
{
	int64_t size = IR_KIND(r) == IR_R_INT ? ir_int_value(p->m, r) : 0;

	return size > 0 ? (uint64_t)size : UINT64_MAX;
}

/* res is any of the operands. */
static void join(struct pta *p, uint32_t func, const struct ir_inst *in, uint32_t res)
{
	uint32_t n = 0, src = IR_NONE;

	for (uint32_t k = in->op == IR_SELECT; k < in->nops; k++) {
		uint32_t node = pta__node(p, func, in->ops[k]);

		if (node == IR_NONE || (in->op == IR_BIN && !ir_bin_carries(&p->m->funcs.v[func], in, k)))
			continue;
		if (n++)
			pta__edge(p, node, res);
		else
			src = node;
	}
	if (n == 1)
		pta__same(p, src, res);
	else
		pta__edge(p, src, res);
}

/* The beginning of the array that an operand points into. */
static ir_ref array_of(const struct ssa *s, ir_ref r)
{
	const struct ir_inst *d = ssa_def(s, r = ssa_ref(s, r));

	for (int depth = 0; depth < 16 && d && (d->op == IR_ELEM || d->op == IR_INDEX); depth++)
		d = ssa_def(s, r = ssa_ref(s, d->ops[0]));
	return r;
}

/* Are elements moved within one array, which is one cell?  The pointer may be
 * read from the same member twice: that somebody changes the member in between is left out. */
static bool is_same_array(const struct ssa *s, ir_ref a, ir_ref b)
{
	const struct ir_inst *x = ssa_def(s, a = array_of(s, a)), *y = ssa_def(s, b = array_of(s, b));

	if (a == b || !x || !y || x->op != IR_LOAD || y->op != IR_LOAD)
		return a == b;
	x = ssa_def(s, ssa_ref(s, x->ops[0]));
	y = ssa_def(s, ssa_ref(s, y->ops[0]));
	if (!x || !y || x->op != IR_FIELD || y->op != IR_FIELD)
		return false;
	return x->imm == y->imm && x->type == y->type && array_of(s, x->ops[0]) == array_of(s, y->ops[0]);
}

/* Memory copied by one instruction.  What is not followed is noted, for pta_is_text_copy(). */
static void add_memcpy(struct pta *p, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &p->m->funcs.v[func].insts[inst];
	uint32_t to, from;

	if (is_same_array(&p->ssa[func], in->ops[0], in->ops[1]) || pta__copied_outside(p, func, inst))
		return;
	if (!is_to_text(p, func, in->ops[0]) && !is_to_text(p, func, in->ops[1])) {
		from = pta__node(p, func, in->ops[1]);
		to = pta__node(p, func, in->ops[0]);
		if (pta__add_copy(p, to, from, const_size(p, in->ops[2])) != IR_NONE)
			return;
	}
	u64map_put(&p->text_copies, PTA_KEY(func, inst), NULL);
}

static void add_inst(struct pta *p, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &p->m->funcs.v[func].insts[inst];
	const struct ssa *s = &p->ssa[func];
	uint32_t res = in->res == IR_NONE ? IR_NONE : p->value_node[func] + in->res;

	if (in->res != IR_NONE && s->rep[in->res] != IR_VREG(in->res))
		return;		/* seen through by SSA */
	if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT && s->promoted[IR_IDX(in->ops[0])])
		return;
	switch ((enum ir_opcode)in->op) {
	case IR_LOAD:
		if (may_hold_pointer(in->cls, in->bits))
			load(p, func, in->ops[0], res);
		break;
	case IR_STORE:
		if (may_hold_pointer(in->cls, in->bits) &&
		    (p->entry[func] || !pta_hands_out(p, func, inst)))
			store(p, func, in->ops[0], pta__node(p, func, in->ops[1]));
		break;
	case IR_MEMCPY:
		add_memcpy(p, func, inst);
		break;
	case IR_ALLOCA:
		pta__point(p, res, pta__loc(p, pta__slot_obj(p, func, (uint32_t)in->imm), 0));
		break;
	case IR_FIELD:
		offset(p, func, in->ops[0], in->imm, res, struct_type(p, in->type));
		break;
	case IR_ELEM:
		offset(p, func, in->ops[0], 0, res, 0);
		break;
	case IR_INDEX:
		if (in->imm == 1 && IR_KIND(in->ops[1]) == IR_R_INT)
			shift(p, func, in->ops[0], ir_int_value(p->m, in->ops[1]), res);
		else
			offset(p, func, in->ops[0], 0, res, 0);
		break;
	case IR_EXTRACT:
		pta__edge(p, leaf_node(p, pta__node(p, func, in->ops[0]), (uint32_t)in->imm), res);
		break;
	case IR_BIN:
	case IR_SELECT:
	case IR_OPAQUE:
	case IR_PHI:
		if (may_hold_pointer(in->cls, in->bits))
			join(p, func, in, res);
		break;
	case IR_CALL:
		add_call(p, func, inst);
		break;
	case IR_ASM:
		for (uint32_t k = 0; k < in->nops; k++)
			pta__edge(p, pta__node(p, func, in->ops[k]), res);
		break;
	case IR_VASTART:
		add_varargs(p, func, in->ops[0]);
		break;
	case IR_VACOPY:
		pta__add_copy(p, pta__node(p, func, in->ops[0]), pta__node(p, func, in->ops[1]), UINT64_MAX);
		break;
	case IR_VAARG:
		add_vaarg(p, func, in);
		break;
	case IR_RET:
		for (uint32_t k = 0; k < in->nops; k++)
			pta__edge(p, pta__node(p, func, in->ops[k]), leaf_node(p, p->ret_node[func], k));
		break;
	default:
		break;
	}
}

/* ---- declared types -------------------------------------------------- */

/* Is it the load of an integer whose type is not used for pointers: from a member, or through a pointer to
 * that very type? */
static bool is_plain_load(const struct pta *p, uint32_t func, const struct ir_inst *in)
{
	const struct ir_inst *d = ssa_def(&p->ssa[func], ssa_ref(&p->ssa[func], in->ops[0]));
	uint32_t type = pta__loaded_type(p, func, in->ops[0]);
	const struct ir_type *t = &p->m->types.v[ir_type_strip(p->m, type)];

	if (in->cls != IR_C_INT || (t->kind != IR_T_INT && t->kind != IR_T_ENUM) || pta__int_holds(p, type))
		return false;
	return (d && d->op == IR_FIELD) || t->size * 8 == in->bits;
}

/* The value is that of a variable of this type. */
static void declare_value(struct pta *p, uint32_t node, uint32_t type)
{
	if (pta__is_plain_int(p, type))
		p->nodes.v[node].want = WANT_NOTHING;
	else
		pta__declare(p, node, type);
}

/* The variable into which clang puts the result has no type of its own. */
static uint32_t variable_type(const struct pta *p, uint32_t func, uint32_t slot, uint32_t result_slot)
{
	const struct ir_func *f = &p->m->funcs.v[func];

	return slot == result_slot ? p->m->types.v[f->type].elem : f->slots[slot].type;
}

static uint32_t find_result_slot(const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_inst *d = in->op == IR_RET && in->nops == 1 ? ir_def(f, in->ops[0]) : NULL;

		if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT)
			continue;
		if (!f->slots[IR_IDX(d->ops[0])].type)
			return IR_IDX(d->ops[0]);
	}
	return IR_NONE;
}

static void declare_values(struct pta *p, uint32_t func)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	const struct ssa *s = &p->ssa[func];
	uint32_t result = find_result_slot(f), first = p->value_node[func];

	declare_value(p, p->ret_node[func], p->m->types.v[f->type].elem);
	for (uint32_t i = 0; i < s->nphis; i++)
		declare_value(p, first + f->nvregs + i, variable_type(p, func, s->phis[i].slot, result));
	for (uint32_t i = 0; i < f->nparams; i++)
		if (s->var[i] != IR_NONE && f->slots[s->var[i]].param)
			declare_value(p, first + i, f->slots[s->var[i]].type);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *g = in->op == IR_CALL ? ir_callee(p->m, in) : NULL;

		if (in->op == IR_LOAD && is_plain_load(p, func, in))
			p->nodes.v[first + in->res].want = WANT_NOTHING;
		else if (in->op == IR_LOAD && in->cls == IR_C_PTR)
			pta__declare(p, first + in->res, pta__loaded_type(p, func, in->ops[0]));
		else if (g && g->type && in->res != IR_NONE)
			declare_value(p, first + in->res, p->m->types.v[g->type].elem);
		else if (in->op != IR_CALL)
			continue;
		/* a void * in a variable is what the variable is declared as */
		if (in->res != IR_NONE && !p->nodes.v[first + in->res].want && s->var[in->res] != IR_NONE)
			pta__declare(p, first + in->res, variable_type(p, func, s->var[in->res], result));
	}
}

/* ---- the program ----------------------------------------------------- */

static void add_function(struct pta *p, uint32_t func)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	const struct ssa *s = &p->ssa[func];

	for (uint32_t i = 0; i < f->ninsts; i++)
		add_inst(p, func, i);
	for (uint32_t i = 0; i < s->nphis; i++) {
		const struct ssa_phi *phi = &s->phis[i];
		uint32_t res = p->value_node[func] + f->nvregs + i;

		for (uint32_t k = 0; k < f->blocks[phi->block].npred; k++)
			pta__edge(p, pta__node(p, func, phi->args[k]), res);
	}
}

static void add_globals(struct pta *p)
{
	for (uint32_t i = 0; i < p->m->globals.n; i++) {
		const struct ir_global *g = &p->m->globals.v[i];

		for (uint32_t k = 0; k < g->ninits; k++) {
			uint32_t to = pta__const_loc(p, IR_NONE, g->inits[k].value), at;

			if (to == IR_NONE)
				continue;
			at = pta__loc(p, p->global_obj[i], (int64_t)g->inits[k].offset);
			pta__point(p, p->locs.v[at].node, to);
		}
		/* Defined by somebody else: it may hold anything. */
		if (ir_is_declared(g->linkage)) {
			uint32_t at = pta__loc(p, p->global_obj[i], 0);
			uint32_t u = pta__loc(p, p->blob[PTA_B_LIBRARY], 0);

			pta__point(p, p->locs.v[at].node, u);
		}
	}
}

/* What a wrapper stores and copies for its callers was left to the callers that are known.  Now there is
 * one who is unknown, and the wrapper's own instructions count. */
static void store_for_unknown(struct pta *p, uint32_t func)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	const struct pta_wrapper *w = p->wrapper[func];

	for (uint32_t i = 0; i < f->ninsts && w; i++)
		if (f->insts[i].op == IR_STORE && pta_hands_out(p, func, i))
			add_inst(p, func, i);
	for (uint32_t k = 0; w && k < w->nouts; k++)
		for (uint32_t i = 0; i < w->out[k].n; i++) {
			const struct pta_made *made = &w->out[k].made[i];

			assert(made->copy == IR_NONE || w->out[k].copied < f->nparams);
			if (made->copy != IR_NONE && !made->arg)
				pta__add_copy(p, p->value_node[func] + f->insts[made->inst].res,
					      p->value_node[func] + w->out[k].copied, UINT64_MAX);
		}
}

/* The parameters of the callee hold whatever its caller has. */
void pta__called_from_outside(struct pta *p, uint32_t callee, enum pta_blob by)
{
	const struct ir_func *f = &p->m->funcs.v[callee];
	uint32_t loc = pta__loc(p, p->blob[by], 0);
	bool late;	/* found by the solver: by then all functions have their constraints */

	assert(by == PTA_B_UNKNOWN || by == PTA_B_ENTRY);
	if (ir_is_decl(f))
		return;
	late = !p->entry[callee] && by == PTA_B_UNKNOWN;
	p->entry[callee] = true;
	if (late)
		store_for_unknown(p, callee);
	for (uint32_t k = 0; k < f->nparams; k++)
		if (may_hold_pointer(f->params[k].cls, f->params[k].bits))
			pta__point(p, p->value_node[callee] + k, loc);
}

static void note_function(const struct ir_module *m, ir_ref r, struct bits *named)
{
	if (IR_KIND(r) == IR_R_ADDR)
		r = m->addrs.v[IR_IDX(r)].base;
	if (IR_KIND(r) == IR_R_FUNC)
		bits_set(named, IR_IDX(r));
}

/* Functions that somebody in the program calls or takes the address of. */
static void find_named(const struct ir_module *m, struct bits *named)
{
	bits_init(named, m->funcs.n);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		for (uint32_t k = 0; k < m->funcs.v[i].ninsts; k++) {
			const struct ir_inst *in = &m->funcs.v[i].insts[k];
			const struct ir_func *g = in->op == IR_CALL ? ir_callee(m, in) : NULL;

			if (g)
				bits_set(named, (uint32_t)(g - m->funcs.v));
			for (uint32_t t = 0; t < in->nops; t++)
				note_function(m, in->ops[t], named);
		}
	for (uint32_t i = 0; i < m->globals.n; i++)
		for (uint32_t k = 0; k < m->globals.v[i].ninits; k++)
			note_function(m, m->globals.v[i].inits[k].value, named);
	for (uint32_t i = 0; i < m->aliases.n; i++)
		note_function(m, m->aliases.v[i].target, named);
}

/* Entries: main, or every external function of a program without main; and functions
 * that nobody uses, which are meant for somebody all the same. */
static void add_entries(struct pta *p)
{
	uint32_t main = ir_find_func(p->m, "main");
	bool whole = ir_is_program(p->m);
	struct bits named;

	find_named(p->m, &named);
	p->entry = arena_array(&p->arena, bool, p->m->funcs.n);
	for (uint32_t i = 0; i < p->m->funcs.n; i++)
		if ((whole ? i == main : p->m->funcs.v[i].linkage != IR_L_STATIC) || !bits_test(&named, i))
			pta__called_from_outside(p, i, PTA_B_ENTRY);
	pta__con(p, p->given_away, CON_ESCAPE, 0, 0);
	bits_release(&named);
}

void pta__constrain(struct pta *p)
{
	const struct ir_module *m = p->m;
	uint32_t *comp, *order;

	assert(p->wrapper && !p->sites.n);
	p->value_node = arena_array(&p->arena, uint32_t, m->funcs.n);
	p->ret_node = arena_array(&p->arena, uint32_t, m->funcs.n);
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		p->value_node[i] = p->nodes.n;
		if (ir_is_decl(&m->funcs.v[i]))
			continue;
		for (uint32_t k = 0; k < p->ssa[i].nvalues; k++)
			pta__new_node(p);
		p->ret_node[i] = pta__new_node(p);
		declare_values(p, i);
	}
	add_globals(p);
	add_entries(p);
	/* Callees first, so that what a wrapper allocates is known to its callers. */
	comp = xcalloc(MAX(m->funcs.n, 1), sizeof(*comp));
	order = xcalloc(MAX(m->funcs.n, 1), sizeof(*order));
	pta__order_direct(p, comp, order);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (!ir_is_decl(&m->funcs.v[order[i]]))
			add_function(p, order[i]);
	free(comp);
	free(order);
}
