// The same with every level freed by its own destructor.
#include <stdlib.h>
#include <string.h>

struct cell { char *text; };
struct row { struct cell *cell[4]; int n; };
struct sheet { struct row *row; char *name; };

static struct cell *cell_new(const char *s)
{
	struct cell *c = malloc(sizeof(*c));

	if (c && !(c->text = strdup(s))) {
		free(c);
		c = NULL;
	}
	return c;
}

static void cell_free(struct cell *c)
{
	if (c) {
		free(c->text);
		free(c);
	}
}

static void row_free(struct row *r)
{
	int i;

	if (!r)
		return;
	for (i = 0; i < r->n; i++)
		cell_free(r->cell[i]);
	free(r);
}

static struct row *row_new(const char *a, const char *b)
{
	struct row *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->cell[r->n++] = cell_new(a);
	r->cell[r->n++] = cell_new(b);
	if (!r->cell[0] || !r->cell[1]) {
		row_free(r);
		return NULL;
	}
	return r;
}

static void sheet_free(struct sheet *s)
{
	if (!s)
		return;
	row_free(s->row);
	free(s->name);
	free(s);
}

struct sheet *sheet_new(const char *name)
{
	struct sheet *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->name = strdup(name);
	s->row = row_new("a", "b");
	if (!s->name || !s->row) {
		sheet_free(s);
		return NULL;
	}
	return s;
}

int print(const char *name)
{
	struct sheet *s = sheet_new(name);
	int n;

	if (!s)
		return -1;
	n = s->row->n;
	sheet_free(s);
	return n;
}
