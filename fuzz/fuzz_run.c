/*
 * fuzz_run.c - run files.  Whatever is read must be sound enough to be judged and
 * written in every format; what is written as JSON must be JSON.
 */
#include "base/json.h"
#include "finding/finding.h"
#include "report/run.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_site(const struct watch_run *r, const struct watch_site *s)
{
	assert(s->objects > 0 && s->stale_bytes <= s->bytes && s->max_staleness <= r->duration);
	assert(s->growth.n > 0 && s->reason[0]);
	for (uint32_t i = 1; i < s->growth.n; i++)
		assert(s->growth.v[i].when > s->growth.v[i - 1].when);
}

static void write_as(struct watch_run *r, struct findings *fs, enum run_format fmt)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	json_t *v = NULL;
	int ret;

	assert(f);
	ret = run_report_write(r, fs, fmt, f);
	assert(ret == 0);
	fclose(f);
	if (fmt == RUN_FORMAT_JSON) {
		ret = jr_parse(&v, text, n, "report");
		assert(ret == 0);
	}
	json_decref(v);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct symbols *symbols;
	struct watch_run *r;
	struct findings fs;

	if (watch_parse(&r, data, n, "input") < 0)
		return 0;
	findings_init(&fs);
	symbols = symbols_new();
	watch_want_symbols(r, symbols);
	watch_mark_wrappers(r, NULL);
	watch_judge(r);
	watch_link(r, &fs);
	for (uint32_t i = 0; i < r->sites.n; i++)
		check_site(r, &r->sites.v[i]);
	for (unsigned i = 0; i < RUN__FORMATS; i++)
		write_as(r, &fs, i);
	symbols_free(symbols);
	findings_release(&fs);
	watch_free(r);
	return 0;
}
