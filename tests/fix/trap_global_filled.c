// memset() puts something else than null into the member, or half of it: it is not freed.
// LEAKS: 1
// HELD: 1
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	int verbose;
	const char *pid_file;
} state;

static void option(const char *value)
{
	state.pid_file = strdup(value);
}

int main(void)
{
	memset(&state, 0xff, sizeof(state));
	if (state.pid_file)
		option("/run/one");
	option("/run/two");
	printf("%s\n", state.pid_file);
	return 0;
}
