// An error message in an out-parameter, there exactly when the call failed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int execute(const char *sql, char **errmsg)
{
	*errmsg = NULL;
	if (!strchr(sql, ';')) {
		*errmsg = strdup("no semicolon");
		return 1;
	}
	return 0;
}

int run_ok(const char *sql)
{
	char *msg;

	if (execute(sql, &msg)) {
		fprintf(stderr, "%s\n", msg ? msg : "?");
		free(msg);
		return -1;
	}
	return 0;
}

int run_bad(const char *sql)
{
	char *msg;

	if (execute(sql, &msg)) { // LEAK(never-freed)
		fprintf(stderr, "%s\n", msg ? msg : "?");
		return -1;
	}
	return 0;
}
