// The destructor forgets a field that the constructor fills.
#include <stdlib.h>
#include <string.h>

struct rule {
	char *name, *pattern;
	int *weights;
};

static struct rule *rule_new(const char *name, const char *pattern)
{
	struct rule *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->name = strdup(name);
	r->pattern = strdup(pattern); // LEAK(never-freed)
	r->weights = calloc(8, sizeof(int));
	return r;
}

static void rule_free(struct rule *r)
{
	if (!r)
		return;
	free(r->name);
	free(r->weights);
	free(r);
}

int apply(const char *name)
{
	struct rule *r = rule_new(name, "*");
	int w = r && r->weights ? r->weights[0] : 0;

	rule_free(r);
	return w;
}

struct pair { char *a, *b; };

static void pair_free_ok(struct pair *p)
{
	free(p->a);
	free(p->b);
	free(p);
}

int complete_ok(const char *s)
{
	struct pair *p = malloc(sizeof(*p));

	if (!p)
		return -1;
	p->a = strdup(s);
	p->b = strdup(s);
	pair_free_ok(p);
	return 0;
}
