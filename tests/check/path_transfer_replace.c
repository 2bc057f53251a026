// A setter frees what it replaces; one that refuses returns an error and takes nothing.
#include <stdlib.h>
#include <string.h>

struct node { char *label; int frozen; };

static int node_set_label(struct node *n, char *label)
{
	if (n->frozen)
		return -1;
	free(n->label);
	n->label = label;
	return 0;
}

int rename_ok(struct node *n, const char *s)
{
	char *l = strdup(s);
	int err;

	if (!l)
		return -1;
	err = node_set_label(n, l);
	if (err)
		free(l);
	return err;
}

int rename_bad(struct node *n, const char *s)
{
	char *l = strdup(s); // LEAK(conditional)
	int err;

	if (!l)
		return -1;
	err = node_set_label(n, l);
	if (err == -2)
		free(l);
	return err;
}
