/*
 * fuzz_bounds.c - bounds files and training files.  What is taken as a bounds file is
 * written and must read back; validation and the plan of a run must cope with it.  The
 * same bytes are taken as a training file.
 */
#include "base/error.h"
#include "base/file.h"
#include "run/bounds.h"
#include "run/plan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static char dir[] = "/tmp/plumb-fuzz-XXXXXX";

static char *file_in(const char *name)
{
	static bool made;

	if (!made && !mkdtemp(dir))
		abort();
	made = true;
	return path_join(dir, name);
}

static void as_bounds(const uint8_t *data, size_t n)
{
	struct plan_options o = { .scale = 1, .mend = true };
	struct bounds_summary sum;
	struct bounds b, again;
	struct plan_result r;
	char *path = file_in("bounds"), *plan = file_in("plan");
	uint32_t chosen;
	bool changed, *invalid;

	bounds_init(&b);
	bounds_init(&again);
	if (bounds_parse(&b, (const char *)data, n, "input") == 0) {
		if (bounds_write(&b, path) < 0 || bounds_read(&again, path) < 0 ||
		    again.sites.n != b.sites.n || again.runs.n != b.runs.n)
			abort();
		bounds_summarise(&sum, &b);
		invalid = xcalloc(b.sites.n + 1, sizeof(*invalid));
		bounds_validate(invalid, &sum, &b, &again);
		if (sum.invalidated)	/* by itself */
			abort();
		free(invalid);
		if (b.depth > 0 && (plan_write(&b, &o, plan, &chosen) < 0 ||
				    plan_read_result(&r, &b, plan, &changed) < 0 || changed))
			abort();
	}
	bounds_release(&b);
	bounds_release(&again);
	free(path);
	free(plan);
}

static void as_training(const uint8_t *data, size_t n)
{
	char *path = file_in("t/train.1.1"), *folder = file_in("t");
	struct bounds b;

	mkdir(folder, 0700);
	if (file_write(path, data, n) < 0)
		abort();
	bounds_init(&b);
	bounds_begin_run(&b, NULL, 0);
	bounds_add_training(&b, folder);
	bounds_release(&b);
	free(path);
	free(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n > 0 && data[0] == '{')
		as_bounds(data, n);
	else
		as_training(data, n);
	return 0;
}
