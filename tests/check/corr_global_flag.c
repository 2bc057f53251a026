// Conditions on static and global flags; the clang analyzer is caught by these.
#include <stdlib.h>
#include <string.h>

static int verbose;
int debug;

void static_flag_ok(const char *s)
{
	char *copy = NULL;

	if (verbose)
		copy = strdup(s);
	if (verbose && copy)
		copy[0] = 0;
	if (verbose)
		free(copy);
}

void global_flag_ok(const char *s)
{
	char *copy = strdup(s);

	if (debug)
		free(copy);
	else
		free(copy);
}

void two_globals_bad(const char *s)
{
	char *copy = NULL;

	if (verbose)
		copy = strdup(s); // LEAK(conditional)
	if (debug)
		free(copy);
}

void flag_in_struct_ok(const struct { int on; } *cfg, const char *s)
{
	char *copy = NULL;

	if (cfg->on)
		copy = strdup(s);
	if (cfg->on)
		free(copy);
}

void set_verbose(int v)
{
	verbose = v;
}
