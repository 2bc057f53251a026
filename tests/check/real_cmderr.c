/* true: the message is printed, kept over the rounds of the loop, and the next call drops it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int execute(const char *sql, char **err)
{
	if (err)
		*err = NULL;
	if (sql[0] == '!') {
		if (err)
			*err = strdup("bad");
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	char *err = NULL;
	int bail = 0, rc = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-bail") == 0) {
			bail = 1;
			continue;
		}
		rc = execute(argv[i], &err); // LEAK
		if (err != NULL) {
			fprintf(stderr, "%s\n", err);
			if (bail)
				return rc ? rc : 1;
		}
	}
	rc = execute("last", &err);
	free(err);
	return rc;
}
