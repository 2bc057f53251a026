// The destructor does not free a member that two objects can share.
// LEAKS: 1
// EXPECT: refused
// REFUSED: hold
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
	char *name;
	struct job *next;
};

static struct job *job_new(const char *name)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		abort();
	j->name = strdup(name);
	return j;
}

static struct job *job_like(const struct job *other)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		abort();
	j->name = other->name;
	return j;
}

static void job_free(struct job *j)
{
	free(j);
}

int main(void)
{
	struct job *a = job_new("first"), *b = job_like(a);

	printf("%s %s\n", a->name, b->name);
	job_free(a);
	job_free(b);
	return 0;
}
