/*
 * fuzz_irtext.c - the parser of the text form.
 *
 * What it accepts must be the same module after printing and parsing, and after
 * writing and reading.
 */
#include "base/error.h"
#include "base/sbuf.h"
#include "ir/build.h"
#include "ir/io.h"

#include <assert.h>
#include <stdlib.h>

static void must(int ret)
{
	if (ret < 0) {
		fprintf(stderr, "%s\n", error_last());
		abort();
	}
}

static void reparse(const struct ir_module *m)
{
	struct ir_module *r = NULL;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert(f);
	ir_print(m, f, IR_PRINT_ALL);
	fclose(f);
	must(ir_parse(&r, text, n, "text"));
	must(ir_equal(m, r));
	ir_module_free(r);
	free(text);
}

static void rewrite(const struct ir_module *m)
{
	struct sbuf b = {0};
	struct ir_module *r = NULL;
	size_t used;

	ir_write(m, &b);
	must(ir_read(&r, &used, b.s, b.n));
	must(ir_equal(m, r));
	ir_module_free(r);
	sbuf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct ir_module *m;

	if (ir_parse(&m, (const char *)data, n, "input") == 0) {
		reparse(m);
		rewrite(m);
		ir_module_free(m);
	}
	return 0;
}
