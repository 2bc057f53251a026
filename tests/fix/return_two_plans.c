// What one plan releases before a return, and another behind the value of it.
// LEAKS: 4
// PATCH: ^\+\tfree\(dev\);$
// PATCH: ^\+\tint plumb_ret = parse_file\(config\);$
// ONCE: ^\+\tfree\(config\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse_file(const char *name);

static int parse(int argc, char **argv)
{
	char *config = NULL;
	char *dev = NULL;
	int i;

	for (i = 0; i < argc; i++)
		switch (argv[i][0]) {
		case 'c':
			config = strdup(argv[i]);
			break;
		case 'd':
			dev = strdup(argv[i]);
			break;
		}
	if (!config) {
		puts(dev ? dev : "none");
		return 0;
	}
	return parse_file(config);
}

static int parse_file(const char *name)
{
	char *two[] = { "d", "d2" };

	puts(name);
	return name[1] ? parse(2, two) : 0;
}

int main(void)
{
	char *args[] = { "d", "c1" };

	return parse(2, args);
}
