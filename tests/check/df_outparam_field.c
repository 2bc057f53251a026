// The out-parameter is a field, of a local struct or of the caller's.
#include <stdlib.h>

struct job { char *in, *out; int n; };

static int fill(char **where, int n)
{
	*where = malloc(n);
	return *where ? 0 : -1;
}

int field_ok(void)
{
	struct job j = {0};

	if (fill(&j.in, 8) < 0)
		return -1;
	if (fill(&j.out, 8) < 0) {
		free(j.in);
		return -1;
	}
	free(j.in);
	free(j.out);
	return 0;
}

int field_bad(void)
{
	struct job j = {0};

	if (fill(&j.in, 8) < 0) // LEAK(conditional)
		return -1;
	if (fill(&j.out, 8) < 0)
		return -1;
	free(j.in);
	free(j.out);
	return 0;
}

int callers_struct_ok(struct job *j)
{
	return fill(&j->in, 8);
}

int heap_struct_bad(int n)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return -1;
	if (fill(&j->in, n) < 0) { // LEAK(never-freed)
		free(j);
		return -1;
	}
	free(j);
	return 0;
}
