// Gao et al., II-C2: the allocation comes back inside of an object of the caller's.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
	int id;
	char *name;
};

static void job_name(struct job *j, const char *s)
{
	j->name = strdup(s);
}

static int run(int id, const char *s)
{
	struct job *j = malloc(sizeof *j);
	int n;

	if (!j)
		return -1;
	j->id = id;
	job_name(j, s);
	n = j->id + (int)strlen(j->name);
	free(j);
	return n;
}

int main(void)
{
	printf("%d\n", run(10, "build"));
	printf("%d\n", run(20, "test"));
	return 0;
}
