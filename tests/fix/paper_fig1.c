// The running example of Gao et al. (ICSE 2015), Fig. 1: records come from two
// allocations, and the loop is left with one of them.
// LEAKS: 4
// ONCE: ^\+\s*free\(p\);$
#include <stdio.h>
#include <stdlib.h>

struct record {
	int id;
	int broken;
};

static int next_id, last_id;

static int has_next(void)
{
	return next_id < last_id;
}

static struct record *record_new(int id, int broken)
{
	struct record *r = malloc(sizeof *r);

	if (!r)
		abort();
	r->id = id;
	r->broken = broken;
	return r;
}

static struct record *get_next(void)
{
	int id = next_id++;

	return record_new(id, id % 5 == 4);
}

static struct record *search_for_next(const char *condition)
{
	int id = next_id;

	next_id += 2;
	return record_new(id, condition[0] == 'x' && id > 3);
}

static int is_broken(const struct record *r)
{
	return r->broken;
}

static void check_records(const char *search_condition)
{
	struct record *p;
	int bad_record_id = -1;

	while (has_next()) {
		if (search_condition == NULL)
			p = get_next();
		else
			p = search_for_next(search_condition);
		if (is_broken(p)) {
			bad_record_id = p->id;
			break;
		}
		free(p);
	}
	printf("bad: %d\n", bad_record_id);
}

int main(void)
{
	static const char *const conditions[] = { NULL, "x", "y" };

	for (int i = 0; i < 3; i++) {
		for (int n = 3; n < 10; n += 3) {
			next_id = 0;
			last_id = n;
			check_records(conditions[i]);
		}
	}
	return 0;
}
