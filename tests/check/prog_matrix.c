// Matrices as one block and as rows.
#include <stdlib.h>

struct mat { int r, c; double *v; };

static struct mat *mat_new(int r, int c)
{
	struct mat *m = malloc(sizeof(*m));

	if (!m)
		return NULL;
	m->r = r;
	m->c = c;
	m->v = calloc((size_t)r * c, sizeof(*m->v));
	if (!m->v) {
		free(m);
		return NULL;
	}
	return m;
}

static void mat_free(struct mat *m)
{
	if (m) {
		free(m->v);
		free(m);
	}
}

struct mat *mat_mul_ok(const struct mat *a, const struct mat *b)
{
	struct mat *m;

	if (a->c != b->r)
		return NULL;
	m = mat_new(a->r, b->c);
	if (!m)
		return NULL;
	for (int i = 0; i < m->r; i++)
		for (int j = 0; j < m->c; j++)
			for (int k = 0; k < a->c; k++)
				m->v[i * m->c + j] += a->v[i * a->c + k] * b->v[k * b->c + j];
	return m;
}

struct mat *mat_pow_bad(const struct mat *a, int n)
{
	struct mat *m = mat_new(a->r, a->c); // LEAK(overwritten)

	if (!m)
		return NULL;
	for (int i = 0; i < a->r; i++)
		m->v[i * a->c + i] = 1;
	while (n-- > 0)
		m = mat_mul_ok(m, a); // LEAK(overwritten)
	return m;
}

double trace_ok(int n)
{
	struct mat *m = mat_new(n, n);
	double t = 0;

	if (!m)
		return 0;
	for (int i = 0; i < n; i++)
		t += m->v[i * n + i];
	mat_free(m);
	return t;
}
