/*
 * fuzz_model.c - model files.  What parses must print as text that parses to the
 * same models and prints the same.
 */
#include "base/error.h"
#include "model/model.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The set as text; the caller's. */
static char *printed(const struct model_set *s, size_t *n)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, n);

	if (!f)
		abort();
	model_set_print(s, f);
	if (fclose(f) != 0)
		abort();
	return text;
}

static void check_again(const struct model_set *s)
{
	struct model_set *t = model_set_new();
	size_t n, k;
	char *text = printed(s, &n), *again;

	if (model_parse(t, text, n, "printed") < 0 || model_count(s) != model_count(t))
		abort();
	for (unsigned i = 0; i < model_count(s); i++)
		if (!model_equal(model_at(s, i), model_at(t, i)))
			abort();
	again = printed(t, &k);
	if (n != k || memcmp(text, again, n) != 0)
		abort();
	free(again);
	free(text);
	model_set_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct model_set *s = model_set_new();

	if (model_parse(s, (const char *)data, n, "fuzz") == 0)
		check_again(s);
	else
		assert(str_starts(error_last(), "fuzz:") && !model_count(s) &&
		       model_resources(s)->all.n == 1);
	model_set_free(s);
	return 0;
}
