/* false: the argument is just the literal that the callee asks for */
#include <stdlib.h>
#include <string.h>

struct job { char *data; };
static struct job *jobs[10];
static int n;

static void start(const char *path, struct job *j, int later)
{
	if (strcmp(path, "-") == 0) {
		jobs[n++] = j;
		return;
	}
	if (later)
		return;
	free(j->data);
	free(j);
}

void from_stdin(int later)
{
	struct job *j = malloc(sizeof(*j));

	if (!j)
		return;
	j->data = NULL;
	start("-", j, later);
}

void from_file(int later)
{
	struct job *j = malloc(sizeof(*j)); // LEAK(conditional)

	if (!j)
		return;
	j->data = NULL;
	start("file", j, later);
}
