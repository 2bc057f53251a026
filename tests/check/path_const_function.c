// Functions that return a constant: a feature that is not built in.
#include <stdlib.h>
#include <string.h>

static int have_cache(void) { return 0; }
static int have_log(void) { return 1; }

int log_line(int n);

int get_ok(const char *key)
{
	char *k = strdup(key);

	if (!k)
		return -1;
	if (have_cache())
		return 0;	/* never */
	free(k);
	return 1;
}

int get_log_ok(const char *key)
{
	char *k = strdup(key);

	if (!k)
		return -1;
	if (!have_log())
		return 0;	/* never */
	log_line(k[0]);
	free(k);
	return 1;
}

int get_bad(const char *key)
{
	char *k = strdup(key); // LEAK(conditional,high) via 0 +2 +4 +5

	if (!k)
		return -1;
	if (have_log())
		return log_line(1);
	free(k);
	return 1;
}
