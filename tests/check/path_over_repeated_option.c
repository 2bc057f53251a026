// `-o a -o b`: the second occurrence of an option overwrites the first.
#include <stdlib.h>
#include <string.h>

struct args { char *out; int verbose; };

int parse_ok(struct args *a, int argc, char **argv)
{
	char *out = NULL;
	int i;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-v") == 0) {
			a->verbose = 1;
		} else if (strncmp(argv[i], "-o", 2) == 0) {
			free(out);
			out = strdup(argv[i] + 2);
		} else {
			free(out);
			return -1;
		}
	}
	a->out = out;
	return 0;
}

int parse_bad(struct args *a, int argc, char **argv)
{
	char *out = NULL;
	int i;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-v") == 0) {
			a->verbose = 1;
		} else if (strncmp(argv[i], "-o", 2) == 0) {
			out = strdup(argv[i] + 2); // LEAK
		} else {
			free(out);
			return -1;
		}
	}
	a->out = out;
	return 0;
}
