// A result object with an error inside: freed by every reader.
#include <stdlib.h>
#include <string.h>

struct result { char *rows, *error; int code; };

static struct result *result_new(int code)
{
	struct result *r = calloc(1, sizeof(*r));

	if (r)
		r->code = code;
	return r;
}

static void result_free(struct result *r)
{
	if (!r)
		return;
	free(r->rows);
	free(r->error);
	free(r);
}

static struct result *query(const char *sql)
{
	struct result *r;

	if (!sql[0]) {
		r = result_new(1);
		if (r)
			r->error = strdup("empty");
		return r;
	}
	r = result_new(0);
	if (r)
		r->rows = strdup(sql);
	return r;
}

int exists_ok(const char *sql)
{
	struct result *r = query(sql);
	int yes = 0;

	if (r && r->code == 0)
		yes = r->rows && r->rows[0];
	result_free(r);
	return yes;
}

int exists_bad(const char *sql)
{
	struct result *r = query(sql); // LEAK(conditional)
	int yes;

	if (!r)
		return -1;
	if (r->code != 0)
		return -1;
	yes = r->rows && r->rows[0];
	result_free(r);
	return yes;
}
