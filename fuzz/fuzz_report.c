/*
 * fuzz_report.c - the files that plumb report puts together: findings, a run or bounds.
 * Whatever is read must be sound enough to be merged, with itself too, and written.
 */
#include "base/json.h"
#include "report/site.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void write_page(struct sites *t)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	int ret;

	assert(f);
	sites_merge(t);
	ret = sites_write_html(t, f);
	assert(ret == 0);
	fclose(f);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct watch_run *run;
	struct trained *trained;
	struct findings fs;
	struct sites t;
	json_t *top;

	if (jr_parse(&top, (const char *)data, n, "input") < 0)
		return 0;
	findings_init(&fs);
	sites_init(&t, &fs);
	for (int twice = 0; twice < 2; twice++) {
		findings_read_json(&fs, top);
		if (watch_read_json(&run, top, fs.root) == 0)
			sites_add_run(&t, run);
		/* fuzz_bounds.c has the other form, which starts processes to be named */
		if (!json_object_get(top, "modules") && trained_read(&trained, top, fs.root) == 0) {
			trained_mark_wrappers(trained, NULL);
			sites_add_trained(&t, trained, "input");
		}
	}
	write_page(&t);
	sites_release(&t);
	findings_release(&fs);
	json_decref(top);
	return 0;
}
