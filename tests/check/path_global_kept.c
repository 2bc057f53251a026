// A whole program: kept in globals until the end, and used: not a leak.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cmd { const char *name; char *help; };

static struct cmd *cmds;
static int ncmds;

static int add(const char *name, const char *help)
{
	struct cmd *c = realloc(cmds, (ncmds + 1) * sizeof(*c));

	if (!c)
		return -1;
	cmds = c;
	cmds[ncmds].name = name;
	cmds[ncmds].help = strdup(help);
	ncmds++;
	return 0;
}

static void usage(void)
{
	int i;

	for (i = 0; i < ncmds; i++)
		if (cmds[i].help)
			printf("%s: %s\n", cmds[i].name, cmds[i].help);
}

int main(void)
{
	if (add("get", "fetch a file") < 0 || add("put", "store a file") < 0)
		return 1;
	usage();
	return 0;
}
