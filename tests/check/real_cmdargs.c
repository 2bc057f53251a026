/* an array that grows in one loop over arguments, is used in another, and is freed or
 * still held when the program ends */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int command(const char *s);

int main(int argc, char **argv)
{
	char **cmd = NULL;
	int ncmd = 0, rc = 0, bail = 0, read_input = 1, i;
	const char *vfs = NULL, *db = NULL;

	for (i = 1; i < argc; i++) {
		char *z = argv[i];

		if (z[0] != '-') {
			if (db == NULL) {
				db = z;
			} else {
				read_input = 0;
				ncmd++;
				cmd = realloc(cmd, sizeof(*cmd) * (size_t)ncmd);
				if (!cmd)
					exit(1);
				cmd[ncmd - 1] = z;
			}
		}
		if (z[1] == '-')
			z++;
		if (strcmp(z, "-bail") == 0)
			bail = 1;
		else if (strcmp(z, "-vfs") == 0)
			vfs = argv[++i];
		else if (strncmp(z, "-A", 2) == 0)
			break;
	}
	if (vfs && command(vfs) == 0)
		exit(1);
	for (i = 1; i < argc; i++) {
		char *z = argv[i];

		if (z[0] != '-')
			continue;
		if (strcmp(z, "-cmd") == 0) {
			if (i == argc - 1)
				break;
			rc = command(argv[++i]);
			if (rc && bail)
				return rc;
		} else if (strncmp(z, "-A", 2) == 0) {
			if (ncmd > 0) {
				puts("cannot mix");
				return 1;
			}
			break;
		}
	}
	if (!read_input) {
		for (i = 0; i < ncmd; i++) {
			rc = command(cmd[i]);
			if (rc) {
				free(cmd);
				return rc;
			}
		}
	} else {
		rc = command("-");
	}
	free(cmd);
	return rc;
}
