// main may leave what it still holds; what it has lost is lost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *load(const char *name)
{
	char *s = strdup(name);

	if (!s)
		exit(1);
	return s;
}

static void work_bad(const char *s)
{
	char *tmp = strdup(s); // LEAK(never-freed)

	if (tmp)
		tmp[0] = 0;
}

int main(int argc, char **argv)
{
	char *config = load("config");
	char *log = malloc(100);
	char *arg = NULL;

	for (int i = 1; i < argc; i++) {
		char *each = load(argv[i]); // LEAK(never-freed)

		work_bad(each);
	}
	arg = load("first"); // LEAK(overwritten)
	arg = load("second");
	puts(config);
	puts(arg);
	return log ? 0 : 1;
}
