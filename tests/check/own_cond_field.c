// The field is filled under a condition and freed under the same.
#include <stdlib.h>
#include <string.h>

struct job { int kind; char *text; };

static void job_free(struct job *j)
{
	if (j->kind == 1)
		free(j->text);
	free(j);
}

int by_kind_ok(const char *s, int n)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return -1;
	if (n) {
		j->kind = 1;
		j->text = strdup(s);
	}
	job_free(j);
	return 0;
}

int wrong_kind_bad(const char *s)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return -1;
	j->kind = 2;
	j->text = strdup(s); // LEAK
	job_free(j);
	return 0;
}
