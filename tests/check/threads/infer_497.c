// facebook/infer 497: GLib's g_realloc of a member in a callee, which also frees it: reported where it
// was allocated. A callee that grows and does not free must be reported.
#include <stddef.h>

void *g_malloc(size_t n);
void *g_realloc(void *p, size_t n);
void g_free(void *p);

struct row {
	int *cell;
};

static void grow_and_drop(struct row *r, int n)
{
	r->cell = g_realloc(r->cell, n * sizeof(int));
	r->cell[0] = n;
	g_free(r->cell);
}

static void grow(struct row *r, int n)
{
	r->cell = g_realloc(r->cell, n * sizeof(int)); // LEAK@row
	r->cell[0] = n;
}

int dropped_ok(void)
{
	struct row r;

	r.cell = g_malloc(sizeof(int));
	grow_and_drop(&r, 8);
	return 0;
}

int forgotten_bad(void)
{
	struct row r;

	r.cell = g_malloc(sizeof(int));
	grow(&r, 8); // LEAK@row
	return r.cell[0];
}
