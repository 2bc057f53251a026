// Options of a program with a main: what is lost in the loop over them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *outfile;

static void usage(void)
{
	fputs("usage: prog [-o file] [-i file]\n", stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	char *input = NULL;
	int c;

	while ((c = getopt(argc, argv, "o:i:x:")) != -1) {
		switch (c) {
		case 'o':
			free(outfile);
			outfile = strdup(optarg);
			break;
		case 'i':
			input = strdup(optarg); // LEAK a second -i
			break;
		case 'x': {
			char *t = strdup(optarg); // LEAK(never-freed)

			if (t && t[0] == '-')
				usage();
			break;
		}
		default:
			usage();
		}
	}
	if (input)
		puts(input);
	return 0;
}
