// A field goes to the caller; the object around it can be freed, not with its
// destructor.
// LEAKS: 1
// NEVER: ^\+.*person_free\(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
	char *name;
	int age;
};

static struct person *person_new(const char *n)
{
	struct person *p = malloc(sizeof *p);

	if (!p)
		abort();
	p->name = strdup(n);
	p->age = 7;
	return p;
}

static void person_free(struct person *p)
{
	free(p->name);
	free(p);
}

static char *name_of(const char *n)
{
	struct person *p = person_new(n);

	return p->name;
}

static int age_of(const char *n)
{
	struct person *p = person_new(n);
	int age = p->age;

	person_free(p);
	return age;
}

int main(void)
{
	char *s = name_of("ada");

	printf("%s %d\n", s, age_of("bob"));
	free(s);
	return 0;
}
