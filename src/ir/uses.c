/*
 * uses.c - does every value exist where it is used?
 *
 * A use is fine if the definition stands earlier in the same block or in a block
 * that dominates it; a PHI uses its operand at the end of the block it comes
 * from.  Code that cannot be reached may use anything.  In what clang makes at
 * -O0 nearly all uses are in the block of their definition, so that dominators
 * are computed only for functions where that does not answer.
 */
#include "ir/priv.h"

#include "ir/dom.h"

#include "base/error.h"

struct checker {
	const struct ir_func *f;
	struct dom dom;
	bool has_dom;
};

/* Is the value of the instruction def there at the end of block (use == IR_NONE)
 * or at instruction use of it? */
static bool exists(struct checker *c, uint32_t def, uint32_t block, uint32_t use)
{
	uint32_t from;

	assert(def < c->f->ninsts && block < c->f->nblocks);
	from = c->f->insts[def].block;
	if (from == block && (use == IR_NONE || def < use))
		return true;
	if (!c->has_dom)
		dom_init(&c->dom, c->f);
	c->has_dom = true;
	if (!dom_reachable(&c->dom, block))
		return true;
	return from != block && dom_dominates(&c->dom, from, block);
}

static int check_inst(struct checker *c, uint32_t i)
{
	const struct ir_inst *in = &c->f->insts[i];

	for (uint32_t k = 0; k < in->nops; k++) {
		uint32_t v = IR_IDX(in->ops[k]);
		bool ok;

		if (IR_KIND(in->ops[k]) != IR_R_VREG || v < c->f->nparams)
			continue;
		if (in->op == IR_PHI)
			ok = exists(c, c->f->def[v], in->targets[k], IR_NONE);
		else
			ok = exists(c, c->f->def[v], in->block, i);
		if (!ok)
			return error_set("function %s: instruction %u uses %%%u, which does not exist there",
					 c->f->name, i, v);
	}
	return 0;
}

int ir__check_uses(const struct ir_func *f)
{
	struct checker c = { .f = f };
	int ret = 0;

	for (uint32_t i = 0; i < f->ninsts && ret == 0; i++)
		ret = check_inst(&c, i);	/* plumb-ignore: has_dom is set with dom */
	if (c.has_dom)
		dom_release(&c.dom);
	return ret;
}
