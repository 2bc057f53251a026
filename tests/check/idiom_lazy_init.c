// Made when first needed, in an object that lives on.
#include <stdlib.h>
#include <string.h>

struct app { char *scratch; int *hist; };

char *app_scratch_ok(struct app *a)
{
	if (!a->scratch)
		a->scratch = malloc(256);
	return a->scratch;
}

void app_count_ok(struct app *a, int k)
{
	if (!a->hist && !(a->hist = calloc(16, sizeof(*a->hist))))
		return;
	a->hist[k & 15]++;
}

int local_app_bad(void)
{
	struct app a = {0};

	a.scratch = malloc(8); // LEAK(never-freed)
	a.hist = NULL;
	return a.scratch != NULL;
}

int local_app_ok(int k)
{
	struct app a = {0};

	app_count_ok(&a, k);
	free(a.hist);
	return 0;
}
