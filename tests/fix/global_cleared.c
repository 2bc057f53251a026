// A global that memset() clears as a whole at the start: each member is null then, and owns what it gets.
// LEAKS: 1
// HELD: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	int verbose;
	struct {
		const char *pid_file;
	} read_only;
} state;

static void option(const char *name, const char *value)
{
	if (strcmp(name, "pidfile") == 0)
		state.read_only.pid_file = strdup(value);
	else
		state.verbose = 1;
}

int main(void)
{
	memset(&state, 0, sizeof(state));
	option("pidfile", "/run/one");
	option("v", "");
	option("pidfile", "/run/two");
	if (state.read_only.pid_file)
		printf("%s %d\n", state.read_only.pid_file, state.verbose);
	return 0;
}
