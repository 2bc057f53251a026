/*
 * fuzz_lean.c - what a source needs of its headers, by what the preprocessor wrote.
 */
#include "base/error.h"
#include "base/sbuf.h"
#include "front/lean.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *text = (const char *)data;
	struct unit_text source = { .text = text + n / 2, .n = n - n / 2 };
	struct sbuf preprocessed = {0}, out = {0};
	uint32_t begin;

	sbuf_add(&preprocessed, text, n);
	if (lean_prelude(&out, &begin, &preprocessed, &source, "f free") < 0)
		assert(error_last()[0]);
	sbuf_release(&preprocessed);
	sbuf_release(&out);
	return 0;
}
