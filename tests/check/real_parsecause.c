/* false: every way that makes a cause returns NULL, through two functions, and the caller frees it
 * there */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { const char *name, *alias; };
struct cmd { const char *name; };

extern const struct entry *table[];

static const struct entry *find(const char *name, char **cause)
{
	const struct entry **loop, *entry, *found = NULL;
	int ambiguous = 0;

	for (loop = table; *loop != NULL; loop++) {
		entry = *loop;
		if (strncmp(entry->name, name, strlen(name)) != 0)
			continue;
		if (found != NULL)
			ambiguous = 1;
		found = entry;
	}
	if (ambiguous) {
		*cause = strdup("ambiguous");
		return NULL;
	}
	if (found == NULL) {
		*cause = strdup("unknown");
		return NULL;
	}
	return found;
}

static struct cmd *parse(const char *name, char **cause)
{
	const struct entry *entry;
	struct cmd *cmd;

	if (*name == '\0') {
		*cause = strdup("no command");
		return NULL;
	}
	entry = find(name, cause);
	if (entry == NULL)
		return NULL;
	cmd = malloc(sizeof(*cmd));
	if (!cmd)
		abort();
	cmd->name = entry->name;
	return cmd;
}

int build(const char *name)
{
	struct cmd *add;
	char *cause;

	add = parse(name, &cause);
	if (add == NULL) {
		fprintf(stderr, "%s\n", cause);
		free(cause);
		return -1;
	}
	puts(add->name);
	free(add);
	return 0;
}
