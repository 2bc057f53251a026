// RUN: plumb dump fix %s
// LeakFix: the running example (Fig. 1) and the challenges of section II-C.
#include <stdlib.h>
#include <string.h>

struct record { int id, broken; };

int has_next(void);
extern int limit;

static struct record *get_next(void)
{
	struct record *r = malloc(sizeof(*r));

	if (r)
		r->id = 1;
	return r;
}

static struct record *search_for_next(const char *condition)
{
	struct record *r = calloc(1, sizeof(*r));

	if (r)
		r->id = (int)strlen(condition);
	return r;
}

static int is_broken(const struct record *r)
{
	return r && r->broken;
}

/* Before the break, both allocations by one free. */
int check_records(const char *search_condition)
{
	struct record *p;
	int bad_record_id = 0;

	while (has_next()) {
		if (!search_condition)
			p = get_next();
		else
			p = search_for_next(search_condition);
		if (is_broken(p)) {
			bad_record_id = p->id;
			break;
		}
		free(p);
	}
	return bad_record_id;
}

/* II-C1: no free where the pointer is null, none where it is not initialised. */
int null_and_uninitialised(int n, const char *s)
{
	char *p;

	if (n < 0)
		return -1;
	p = strdup(s);
	if (!p)
		return -2;
	if (n == 0)
		return -3;
	n = p[0];
	free(p);
	return n;
}

/* II-C2: uses and frees in callees, which say by their result what they did. */
static int take(char *p, int n)
{
	if (n > limit)
		return -1;
	free(p);
	return 0;
}

int by_result(int n, const char *s)
{
	char *p = strdup(s);

	if (take(p, n) < 0)
		return -1;
	return 0;
}

/* II-C4: several allocations in one variable. */
int one_of_three(int n, const char *s)
{
	char *p = NULL;

	switch (n) {
	case 0: p = strdup(s); break;
	case 1: p = malloc(3); break;
	case 2: p = calloc(1, 3); break;
	default: break;
	}
	if (n == limit)
		return -1;
	free(p);
	return 0;
}

/* II-C5: what one round makes is freed in the next. */
int carried(char **v, int n)
{
	char *last = NULL;
	int sum = 0;

	for (int i = 0; i < n; i++) {
		free(last);
		last = strdup(v[i]);
		sum += last ? last[0] : 0;
	}
	return sum;
}
