/* a list in an object that is destroyed, freed up to an element, which is NULL there */
#include <stdlib.h>
#include <string.h>

struct stmt { struct stmt *next; char *plan; };
struct expert { struct stmt *first; char *report; int run; };
struct state { struct expert *expert; int verbose; };

static void stmt_free(struct stmt *first, struct stmt *last)
{
	struct stmt *s, *next;

	for (s = first; s != last; s = next) {
		next = s->next;
		free(s->plan);
		free(s);
	}
}

static int expert_add(struct expert *e, const char *sql, char **err)
{
	struct stmt *before = e->first;
	int rc = 0;

	if (e->run)
		return 21;
	while (rc == 0 && *sql) {
		struct stmt *s = calloc(1, sizeof(*s));

		if (s == NULL) {
			rc = 7;
			*err = strdup("memory");
			break;
		}
		s->next = e->first;
		e->first = s;
		sql++;
	}
	if (rc != 0) {
		stmt_free(e->first, before);
		e->first = before;
	}
	return rc;
}

static int expert_run(struct expert *e)
{
	for (struct stmt *s = e->first; s; s = s->next)
		s->plan = strdup("scan");
	e->report = strdup("none");
	e->run = 1;
	return e->report ? 0 : 7;
}

static void expert_free(struct expert *e)
{
	if (e) {
		stmt_free(e->first, NULL);
		free(e->report);
		free(e);
	}
}

static int finish(struct state *st, int cancel)
{
	struct expert *e = st->expert;
	int rc = 0;

	if (!cancel)
		rc = expert_run(e);
	expert_free(e);
	st->expert = NULL;
	return rc;
}

int run(struct state *st, const char *sql, char **err)
{
	int rc;

	*err = NULL;
	if (st->expert) {
		rc = expert_add(st->expert, sql, err);
		return finish(st, rc != 0);
	}
	return 0;
}

int start(struct state *st)
{
	if (st->expert)
		finish(st, 1);
	st->expert = calloc(1, sizeof(*st->expert));
	return st->expert ? 0 : 7;
}

int main(int argc, char **argv)
{
	struct state st = { .verbose = argc > 3 };
	int ret = 0;

	for (int i = 1; i < argc; i++) {
		char *err = NULL;

		if (argv[i][0] == '.')
			ret = start(&st);
		else
			ret = run(&st, argv[i], &err);
		free(err);
	}
	if (st.expert)
		finish(&st, 1);
	return ret;
}
