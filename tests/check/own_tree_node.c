// A node linked into a caller's structure under a parent found by a search.
#include <stdlib.h>
#include <string.h>

struct node { struct node *kid[2]; char *name; };

int attach_ok(struct node *parent, int k, const char *name)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		return -1;
	n->name = strdup(name);
	parent->kid[k & 1] = n;
	return 0;
}

int attach_found_ok(struct node *root, const char *key, const char *name)
{
	struct node *p = root, *n = calloc(1, sizeof(*n));

	if (!n)
		return -1;
	while (p->kid[0] && strcmp(p->name, key) != 0)
		p = p->kid[0];
	n->name = strdup(name);
	p->kid[1] = n;
	return 0;
}

int attach_found_bad(struct node *root, const char *key)
{
	struct node *p, *n = calloc(1, sizeof(*n)); // LEAK(conditional)

	if (!n)
		return -1;
	for (p = root; p; p = p->kid[0])
		if (!strcmp(p->name, key)) {
			p->kid[1] = n;
			return 0;
		}
	return -1;
}
