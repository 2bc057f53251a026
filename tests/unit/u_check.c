/*
 * u_check.c - findings without a command line: check/check.h is enough to ask for them.
 */
#include "unit.h"

#include "base/error.h"
#include "base/file.h"
#include "check/check.h"

static const char leaks[] =
	"void *malloc(unsigned long);\n"
	"void free(void *);\n"
	"int use(int n)\n"
	"{\n"
	"\tchar *p = malloc(10);\n"
	"\tif (n < 0)\n"
	"\t\treturn -1;\n"
	"\tfree(p);\n"
	"\treturn 0;\n"
	"}\n";

static const char does_not[] =
	"void *malloc(unsigned long);\n"
	"void free(void *);\n"
	"int use(int n)\n"
	"{\n"
	"\tchar *p = malloc(10);\n"
	"\tfree(p);\n"
	"\treturn n < 0 ? -1 : 0;\n"
	"}\n";

static const char models[] = "malloc { return new memory; }\nfree { free arg1; }\n";

struct source {
	char *path, *models;
	struct front_options front;
};

/* A file with this text, and models for it: only these, whatever is shipped. */
static void source_init(struct source *s, const char *text)
{
	const char *dir = getenv("TMPDIR");

	*s = (struct source){
		.path = xasprintf("%s/u_check_%d.c", dir ? dir : "/tmp", (int)getpid()),
		.models = xasprintf("%s/u_check_%d.model", dir ? dir : "/tmp", (int)getpid()),
	};
	s->front = (struct front_options){ .inputs = &s->path, .ninputs = 1, .jobs = 1, .no_cache = true };
	CHECK(file_write(s->path, text, strlen(text)) == 0);
	CHECK(file_write(s->models, models, strlen(models)) == 0);
	CHECK(setenv("PLUMB_MODELS", s->models, 1) == 0);
}

static void source_release(struct source *s)
{
	unlink(s->path);
	unlink(s->models);
	free(s->path);
	free(s->models);
}

static const struct check_options both = { .values = true, .paths = true, .jobs = 1 };

TEST(a_leak_is_found)
{
	struct check_program p = {0};
	struct source s;
	struct findings fs;

	source_init(&s, leaks);
	findings_init(&fs);
	CHECK_EQ_INT(check_load(&p, &s.front, NULL, 0), 0);
	CHECK_EQ_INT(check_program(&fs, &p, &both, NULL), 0);
	CHECK_EQ_INT(fs.v.n, 1);
	CHECK_EQ_INT(fs.v.v[0]->kind, FINDING_CONDITIONAL);
	CHECK_EQ_INT(fs.v.v[0]->alloc.line, 5);
	CHECK_EQ_INT(fs.coverage.allocations, 1);
	findings_release(&fs);
	check_release(&p);
	source_release(&s);
}

/* As plumb fix proves a patch: the same program with a change. */
TEST(asked_again)
{
	struct front_result changed = {0};
	struct check_program p = {0};
	struct check_kept kept;
	struct source s, t;
	struct findings fs, now;

	source_init(&s, leaks);
	findings_init(&fs);
	findings_init(&now);
	check_kept_init(&kept);
	CHECK_EQ_INT(check_load(&p, &s.front, NULL, 0), 0);
	CHECK_EQ_INT(check_program(&fs, &p, &both, &kept), 0);
	CHECK_EQ_INT(fs.v.n, 1);
	CHECK(kept.pta);

	source_init(&t, does_not);
	CHECK_EQ_INT(front_load(&changed, &t.front), 0);
	CHECK(check_again(&now, changed.program, &p, &both, &kept));
	CHECK_EQ_INT(now.v.n, 0);
	CHECK(!now.coverage.known);

	findings_release(&now);
	findings_release(&fs);
	check_kept_release(&kept);
	check_release(&p);
	front_result_release(&changed);
	source_release(&s);
	source_release(&t);
}

/* What cannot be loaded is an error, and leaves nothing behind. */
TEST(not_loaded)
{
	const char *none = "/nonexistent/x.model";
	struct check_program p = {0};
	struct source s;

	source_init(&s, leaks);
	CHECK(check_load(&p, &s.front, &none, 1) < 0);
	CHECK(strstr(error_last(), "x.model"));
	check_release(&p);
	source_release(&s);
}
