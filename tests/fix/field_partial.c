// Past the paper: construction fails half way.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail_at;

static char *try_strdup(const char *s)
{
	if (fail_at > 0 && --fail_at == 0)
		return NULL;
	return strdup(s);
}

struct person {
	char *first, *last;
};

static int person_init(struct person *p, const char *a, const char *b)
{
	p->first = try_strdup(a);
	if (!p->first)
		return -1;
	p->last = try_strdup(b);
	if (!p->last)
		return -1;
	return 0;
}

static void one(int fail)
{
	struct person p;

	fail_at = fail;
	if (person_init(&p, "Ada", "Byron") < 0) {
		printf("failed\n");
		return;
	}
	printf("%s %s\n", p.first, p.last);
	free(p.first);
	free(p.last);
}

int main(void)
{
	one(0);
	one(1);
	one(2);
	return 0;
}
