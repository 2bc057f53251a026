// Globals keep: what a global holds is not leaked.
#include <stdlib.h>
#include <string.h>

static char *current;
static struct { char *name; } config;
static char *table[16];
char *exported;

void into_global_ok(const char *s)
{
	free(current);
	current = strdup(s);
}

void into_global_struct_ok(const char *s)
{
	if (!config.name)
		config.name = strdup(s);
}

void into_global_array_ok(const char *s, int i)
{
	free(table[i & 15]);
	table[i & 15] = strdup(s);
}

void into_exported_ok(const char *s)
{
	free(exported);
	exported = strdup(s);
}

void one_way_bad(const char *s, int keep)
{
	char *copy = strdup(s); // LEAK(conditional)

	if (keep) {
		free(current);
		current = copy;
	}
}

void freed_or_kept_ok(const char *s, int keep)
{
	char *copy = strdup(s);

	if (keep) {
		free(current);
		current = copy;
	} else {
		free(copy);
	}
}

void nothing_to_do_with_it_bad(const char *s)
{
	char *copy = strdup(s); // LEAK(never-freed)

	if (copy && current)
		current[0] = copy[0];
}
