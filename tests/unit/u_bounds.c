/*
 * u_bounds.c - bounds: what follows from the counts, and that files read back or are
 * refused.
 */
#include "unit.h"

#include "base/error.h"
#include "base/json.h"
#include "run/bounds.h"
#include "run/plan.h"

#include <stdio.h>
#include <unistd.h>

static struct bounds_site *site(struct bounds *b, uint64_t offset)
{
	uint32_t m = bounds_module(b, "/bin/x", "abcd");
	struct bounds_frame f[2] = { { m, offset }, { m, 99 } };

	m = bounds_site(b, f, 2);	/* may move the sites */
	return &b->sites.v[m];
}

static void set(struct bounds *b, uint64_t offset, uint64_t allocated, uint64_t freed, uint64_t bound)
{
	struct bounds_site *s = site(b, offset);

	vec_last(&s->runs) = (struct bounds_count){ allocated, freed, bound };
	s->bytes += allocated * 8;
	s->max_size = 8;
}

static void run(struct bounds *b)
{
	static char *const command[] = { (char *)"x", (char *)"1" };

	bounds_begin_run(b, command, 2);
	vec_last(&b->runs).ended = "exit 0";
}

TEST(rules)
{
	struct plan_options o = { .scale = 1 }, leaking = { .scale = 1, .only_leaking = true };
	struct bounds b;

	bounds_init(&b);
	b.depth = 2;
	run(&b);
	set(&b, 1, 20, 0, 1);
	set(&b, 2, 20, 20, 20);
	CHECK(bounds_is_stable(site(&b, 1)));		/* one run, and evidence */
	CHECK(!bounds_is_stable(site(&b, 2)));		/* one run, and none */
	run(&b);
	CHECK(!bounds_is_stable(site(&b, 1)));		/* executed in one of two */
	set(&b, 1, 80, 0, 1);
	set(&b, 2, 80, 80, 80);
	set(&b, 3, 5, 5, 2);
	CHECK(bounds_is_stable(site(&b, 1)) && bounds_m(site(&b, 1)) == 1);
	CHECK(!bounds_is_stable(site(&b, 2)) && bounds_m(site(&b, 2)) == 80);
	CHECK(bounds_is_leaking(site(&b, 1)) && !bounds_is_leaking(site(&b, 2)));
	run(&b);
	set(&b, 3, 9, 4, 2);
	CHECK(bounds_is_stable(site(&b, 3)) && bounds_is_leaking(site(&b, 3)));
	site(&b, 3)->raised = 6;
	CHECK(bounds_m(site(&b, 3)) == 6 && !bounds_is_leaking(site(&b, 3)));
	CHECK(plan_chooses(&b, site(&b, 1), &o) && !plan_chooses(&b, site(&b, 2), &o));
	CHECK(plan_chooses(&b, site(&b, 1), &leaking) && !plan_chooses(&b, site(&b, 3), &leaking));
	site(&b, 3)->max_size = 1 << 20;		/* large, and no leak */
	CHECK(!plan_chooses(&b, site(&b, 3), &o));
	bounds_release(&b);
}

TEST(validate)
{
	struct bounds_summary sum;
	struct bounds b, v;
	bool invalid[8];

	bounds_init(&b);
	bounds_init(&v);
	for (int i = 0; i < 2; i++) {
		run(&b);
		set(&b, 1, 20, 0, 1);
		set(&b, 2, 20, 0, 3);
	}
	run(&v);
	set(&v, 2, 200, 0, 4);
	set(&v, 1, 200, 0, 1);
	set(&v, 7, 200, 0, 100);
	bounds_summarise(&sum, &b);
	bounds_validate(invalid, &sum, &b, &v);
	CHECK(sum.executed == 2 && sum.bounded == 2 && sum.invalidated == 1);
	CHECK(!invalid[0] && invalid[1]);
	bounds_release(&b);
	bounds_release(&v);
}

TEST(file)
{
	char path[] = "/tmp/u_bounds.XXXXXX", id[17], again[17];
	struct bounds b, c;
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	bounds_init(&b);
	bounds_init(&c);
	b.depth = 2;
	b.program = "/bin/x";
	run(&b);
	set(&b, 1, 20, 3, 1);
	site(&b, 1)->raised = 4;
	CHECK(bounds_write(&b, path) == 0 && bounds_read(&c, path) == 0);
	CHECK(c.depth == 2 && c.runs.n == 1 && c.sites.n == 1 && str_eq(c.program, "/bin/x"));
	CHECK(c.sites.v[0].runs.v[0].freed == 3 && c.sites.v[0].raised == 4 && bounds_m(&c.sites.v[0]) == 4);
	bounds_site_id(id, &b, &b.sites.v[0]);
	bounds_site_id(again, &c, &c.sites.v[0]);
	CHECK(str_eq(id, again));
	unlink(path);
	bounds_release(&b);
	bounds_release(&c);
}

#define HEAD "{\"schema\":\"plumb-bounds/1\",\"program\":\"x\",\"build_id\":\"\",\"depth\":4,"
#define SITE "{\"frames\":[{\"module\":0,\"offset\":1}],\"allocated\":[1],\"freed\":[0],\"bounds\":[1]," \
	     "\"max_size\":1,\"bytes\":1}"
#define RUNS "\"runs\":[{\"command\":[],\"ended\":\"exit 0\"}],"
#define MODULES "\"modules\":[{\"path\":\"a\",\"build_id\":\"\"}],"

/* The site of one frame in this module. */
static void id_in(char id[17], struct bounds *b, const char *path, const char *build_id)
{
	struct bounds_frame f = { bounds_module(b, path, build_id), 7 };
	uint32_t k = bounds_site(b, &f, 1);	/* may move the sites */

	bounds_site_id(id, b, &b->sites.v[k]);
}

TEST(modules_without_build_id)
{
	char x[17], y[17], again[17], moved[17];
	struct bounds b, c;

	bounds_init(&b);
	bounds_init(&c);
	run(&b);
	run(&c);
	id_in(x, &b, "/lib/x.so", "");
	id_in(y, &b, "/lib/y.so", "");
	id_in(again, &b, "/lib/x.so", "");
	CHECK(b.modules.n == 2 && b.sites.n == 2);
	CHECK(strcmp(x, y) != 0);
	CHECK_EQ_STR(again, x);
	id_in(x, &b, "/lib/x.so", "abcd");
	id_in(again, &b, "/opt/x.so", "abcd");
	id_in(moved, &c, "/opt/x.so", "abcd");
	CHECK(b.modules.n == 3 && b.sites.n == 3);
	CHECK_EQ_STR(again, x);
	CHECK_EQ_STR(moved, x);
	bounds_release(&b);
	bounds_release(&c);
}

TEST(refused)
{
	static const char *const good = HEAD RUNS MODULES "\"sites\":[" SITE "]}";
	static const char *const bad[] = {
		"{}", "[]", HEAD RUNS MODULES "\"sites\":3}", HEAD MODULES "\"sites\":[]}",
		HEAD RUNS "\"modules\":[],\"sites\":[" SITE "]}",
		HEAD RUNS MODULES "\"sites\":[" SITE "," SITE "]}",
		HEAD "\"runs\":[]," MODULES "\"sites\":[" SITE "]}",
		HEAD RUNS MODULES "\"sites\":[{\"frames\":[]}]}",
		"{\"schema\":\"plumb-bounds/2\"}",
	};
	struct bounds b;

	bounds_init(&b);
	CHECK(bounds_parse(&b, good, strlen(good), "good") == 0 && b.sites.n == 1);
	bounds_release(&b);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		bounds_init(&b);
		CHECK(bounds_parse(&b, bad[i], strlen(bad[i]), "bad") < 0);
		CHECK(b.sites.n == 0 && b.runs.n == 0 && strstr(error_last(), "bad"));
		bounds_release(&b);
	}
}
