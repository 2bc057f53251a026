// A library writes to the whole global: what it puts into the member is nothing to be freed.
// LEAKS: 1
// HELD: 1
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	int verbose;
	char *pid_file;
} state;

static void option(const char *value)
{
	state.pid_file = strdup(value);
}

int main(void)
{
	char bytes[sizeof(state)];
	FILE *f;

	memset(bytes, 1, sizeof(bytes));
	f = fmemopen(bytes, sizeof(bytes), "r");
	if (!f)
		return 1;
	if (fread(&state, sizeof(state), 1, f) == 1)
		option("/run/one");
	fclose(f);
	option("/run/two");
	printf("%s\n", state.pid_file);
	return 0;
}
