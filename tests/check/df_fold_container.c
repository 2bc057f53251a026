// What only a leaked object holds is folded into that object's finding.
#include <stdlib.h>
#include <string.h>

struct node {
	char *key;
	struct node *next;
};

void one_finding_bad(const char *key)
{
	struct node *n = malloc(sizeof(*n)); // LEAK(never-freed)

	if (!n)
		return;
	n->key = strdup(key);
	n->next = NULL;
}

void chain_of_three_bad(const char *key)
{
	struct node *a = malloc(sizeof(*a)); // LEAK(never-freed)

	if (!a)
		return;
	a->next = malloc(sizeof(*a));
	if (!a->next)
		return;
	a->next->key = strdup(key);
	a->next->next = NULL;
	a->key = NULL;
}

void together_on_one_way_bad(const char *key, int n)
{
	struct node *a = malloc(sizeof(*a)); // LEAK(conditional)

	if (!a)
		return;
	a->key = strdup(key);
	if (n < 0)
		return;
	free(a->key);
	free(a);
}

struct node *handed_on_ok(const char *key)
{
	struct node *a = malloc(sizeof(*a));

	if (!a)
		return NULL;
	a->key = strdup(key);
	a->next = NULL;
	return a;
}
