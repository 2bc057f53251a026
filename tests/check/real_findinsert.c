/* looked for first: what is not there can be inserted */
#include <stdlib.h>
#include <string.h>

struct node { struct node *left, *right; char *name; };
static struct node *root;

static struct node *find(const char *name)
{
	struct node *n = root;

	while (n) {
		int c = strcmp(name, n->name);

		if (c < 0)
			n = n->left;
		else if (c > 0)
			n = n->right;
		else
			return n;
	}
	return NULL;
}

/* the one that was there, which stays; or NULL */
static struct node *insert(struct node *new)
{
	struct node **p = &root;

	while (*p) {
		int c = strcmp(new->name, (*p)->name);

		if (c < 0)
			p = &(*p)->left;
		else if (c > 0)
			p = &(*p)->right;
		else
			return *p;
	}
	*p = new;
	return NULL;
}

static struct node *add(const char *name)
{
	struct node *n = calloc(1, sizeof(*n)); // FP(conditional,path)

	if (!n)
		abort();
	n->name = strdup(name);
	if (!n->name)
		abort();
	insert(n);
	return n;
}

int wait_for(const char *name)
{
	struct node *n = find(name);

	if (n == NULL)
		n = add(name);
	return n->name[0];
}
