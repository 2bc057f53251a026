/* true: the message is shown and kept in the variable, which the callee clears in the next round; main
 * ends only with the option that says so */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int prepare(const char *), step(const char *);

static char *message_of(const char *phase, int rc)
{
	char *m;

	if (asprintf(&m, "%s (%d)", phase, rc) < 0)
		exit(1);
	return m;
}

static int execute(const char *sql, char **message)
{
	int rc;

	if (message)
		*message = NULL;
	rc = prepare(sql);
	if (rc != 0) {
		if (message)
			*message = message_of("in prepare", rc); // FN(vfg): LEAK@message
		return rc;
	}
	rc = step(sql);
	if (rc != 0 && message)
		*message = message_of("stepping", rc); // FN(vfg): LEAK@message
	return rc;
}

int main(int argc, char **argv)
{
	char *message = NULL;
	int bail = 0, rc;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-bail") == 0) {
			bail = 1;
			continue;
		}
		rc = execute(argv[i], &message); // FN(vfg): LEAK@message
		if (message != NULL) {
			fprintf(stderr, "Error: %s\n", message);
			if (bail)
				return rc != 0 ? rc : 1;
		} else if (rc != 0) {
			fprintf(stderr, "Error: %d\n", rc);
			if (bail)
				return rc;
		}
	}
	return 0;
}
