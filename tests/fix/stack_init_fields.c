// As before, with two fields: release is better than two frees.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	char *key, *value;
};

static void pair_init(struct pair *p, const char *k, const char *v)
{
	p->key = strdup(k);
	p->value = strdup(v);
}

static void pair_release(struct pair *p)
{
	free(p->key);
	free(p->value);
}

static int check(const char *k, const char *v)
{
	struct pair p;

	pair_init(&p, k, v);
	if (strcmp(p.key, p.value) == 0)
		return 1;
	pair_release(&p);
	return 0;
}

int main(void)
{
	printf("%d\n", check("a", "b"));
	printf("%d\n", check("a", "a"));
	return 0;
}
