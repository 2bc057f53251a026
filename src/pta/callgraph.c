/*
 * callgraph.c - the order of functions: callees before their callers.
 *
 * Tarjan's strongly connected components, with a stack of our own: call chains
 * of real programs are deep enough to overflow a thread's.
 */
#include "pta/priv.h"

void pta_components(uint32_t n, const uint32_t *row, const uint32_t *to, uint32_t *comp, uint32_t *order)
{
	uint32_t *index = xcalloc(MAX(n, 1), sizeof(*index)), *low = xcalloc(MAX(n, 1), sizeof(*low));
	uint32_t *next = xcalloc(MAX(n, 1), sizeof(*next)), *stack = xcalloc(MAX(n, 1), sizeof(*stack));
	uint32_t *path = xcalloc(MAX(n, 1), sizeof(*path));
	uint32_t counter = 0, ncomp = 0, nstack = 0, npath, done = 0;
	uint8_t *on = xcalloc(MAX(n, 1), 1);

	for (uint32_t root = 0; root < n; root++) {
		if (index[root])
			continue;
		npath = 0;
		path[npath++] = root;
		while (npath) {
			uint32_t u = path[npath - 1];

			if (!index[u]) {
				index[u] = low[u] = ++counter;
				next[u] = row[u];
				stack[nstack++] = u;
				on[u] = 1;
			}
			if (next[u] < row[u + 1]) {
				uint32_t v = to[next[u]++];

				if (!index[v])
					path[npath++] = v;
				else if (on[v])
					low[u] = MIN(low[u], index[v]);
				continue;
			}
			npath--;
			if (npath)
				low[path[npath - 1]] = MIN(low[path[npath - 1]], low[u]);
			if (low[u] != index[u])
				continue;
			for (uint32_t v = IR_NONE; v != u;) {
				v = stack[--nstack];
				assert(on[v]);
				on[v] = 0;
				comp[v] = ncomp;
				order[done++] = v;
			}
			ncomp++;
		}
	}
	assert(done == n && !nstack);
	free(index);
	free(low);
	free(next);
	free(stack);
	free(path);
	free(on);
}

/* Rows of callees: of direct calls, or of all calls and callbacks known. */
static void make_rows(const struct pta *p, bool direct, uint32_t **row, uint32_t **to)
{
	const struct ir_module *m = p->m;
	VEC(uint32_t) out = {0};

	*row = xcalloc((size_t)m->funcs.n + 1, sizeof(**row));
	for (uint32_t f = 0; f < m->funcs.n; f++) {
		for (uint32_t i = 0; i < m->funcs.v[f].ninsts; i++) {
			const struct ir_inst *in = &m->funcs.v[f].insts[i];
			const struct ir_func *g;
			struct pta_callees c;

			if (in->op != IR_CALL)
				continue;
			if (direct) {
				g = ir_callee(m, in);
				if (g)
					vec_push(&out, (uint32_t)(g - m->funcs.v));
				continue;
			}
			pta_callees(p, f, i, &c);
			SBITS_FOREACH(callee, c.set)
				vec_push(&out, callee);
		}
		for (uint32_t i = 0; !direct && i < p->called_back[f].n; i++)
			vec_push(&out, p->called_back[f].v[i].callee);
		(*row)[f + 1] = out.n;
	}
	vec_push(&out, 0);	/* never NULL */
	*to = out.v;
}

void pta__order_direct(const struct pta *p, uint32_t *comp, uint32_t *order)
{
	uint32_t *row, *to;

	make_rows(p, true, &row, &to);
	pta_components(p->m->funcs.n, row, to, comp, order);
	free(row);
	free(to);
}

void pta__order_functions(struct pta *p)
{
	uint32_t n = p->m->funcs.n, *row, *to;
	uint32_t *size = xcalloc(MAX(n, 1), sizeof(*size));

	p->comp = arena_array(&p->arena, uint32_t, n);
	p->bottom_up = arena_array(&p->arena, uint32_t, n);
	p->recursive = arena_array(&p->arena, bool, n);
	make_rows(p, false, &row, &to);
	pta_components(n, row, to, p->comp, p->bottom_up);
	p->nbottom_up = n;
	for (uint32_t i = 0; i < n; i++)
		size[p->comp[i]]++;
	for (uint32_t i = 0; i < n; i++) {
		p->recursive[i] = size[p->comp[i]] > 1;
		for (uint32_t k = row[i]; k < row[i + 1]; k++)
			p->recursive[i] |= to[k] == i;
	}
	free(size);
	free(row);
	free(to);
}

const uint32_t *pta_bottom_up(const struct pta *p, uint32_t *n)
{
	assert(p->bottom_up);	/* else the analysis is not done */
	*n = p->nbottom_up;
	return p->bottom_up;
}

uint32_t pta_component(const struct pta *p, uint32_t func)
{
	return p->comp[func];
}

bool pta_recursive(const struct pta *p, uint32_t func)
{
	return p->recursive[func];
}
