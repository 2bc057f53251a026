/* false: what is not in the tree is inserted.  One asks the tree first; the other's keys all differ,
 * being made of two tables without repetitions */
#include <stdlib.h>
#include <string.h>

struct node { struct node *left, *right, *parent; char *name; long key; int woken, locked; };
struct tree { struct node *root; };

static int name_compare(struct node *a, struct node *b)
{
	return strcmp(a->name, b->name);
}

static int key_compare(struct node *a, struct node *b)
{
	if (a->key < b->key)
		return -1;
	if (a->key > b->key)
		return 1;
	return 0;
}

#define TREE_OF(compare) \
static struct node *compare##_insert(struct tree *head, struct node *elm) \
{ \
	struct node *tmp = head->root, *parent = NULL; \
	int comp = 0; \
	while (tmp) { \
		parent = tmp; \
		comp = (compare)(elm, parent); \
		if (comp < 0) \
			tmp = tmp->left; \
		else if (comp > 0) \
			tmp = tmp->right; \
		else \
			return tmp; \
	} \
	elm->parent = parent; \
	elm->left = elm->right = NULL; \
	if (parent != NULL) { \
		if (comp < 0) \
			parent->left = elm; \
		else \
			parent->right = elm; \
	} else { \
		head->root = elm; \
	} \
	return NULL; \
} \
static struct node *compare##_find(struct tree *head, struct node *elm) \
{ \
	struct node *tmp = head->root; \
	int comp; \
	while (tmp) { \
		comp = compare(elm, tmp); \
		if (comp < 0) \
			tmp = tmp->left; \
		else if (comp > 0) \
			tmp = tmp->right; \
		else \
			return tmp; \
	} \
	return NULL; \
}
TREE_OF(name_compare)
TREE_OF(key_compare)

static struct tree channels, keys;

static char *copy(const char *s)
{
	char *c = strdup(s);
	if (!c)
		abort();
	return c;
}

static struct node *node_new(void)
{
	struct node *n = calloc(1, sizeof(*n));
	if (!n)
		abort();
	return n;
}

static struct node *channel_add(const char *name)
{
	struct node *n = node_new(); // FP(conditional,path)

	n->name = copy(name);
	name_compare_insert(&channels, n);
	return n;
}

int channel_signal(const char *name)
{
	struct node find = { .name = (char *)name }, *n;

	n = name_compare_find(&channels, &find);
	if (n == NULL)
		n = channel_add(name);
	if (!n->woken) {
		n->woken = 1;
		return 0;
	}
	return 1;
}

int channel_lock(const char *name)
{
	struct node find = { .name = (char *)name }, *n;

	n = name_compare_find(&channels, &find);
	if (n == NULL)
		n = channel_add(name);
	n->locked = 1;
	return 0;
}

static const struct { long key; const char *data; } defaults[] = {
	{ 0x100, "\033[1;_P" }, { 0x200, "\033[1;_Q" }, { 0x300, "\033[1;_R" },
};
static const long modifiers[] = { 0, 1, 2, 3 };

void keys_build(void)
{
	for (unsigned i = 0; i < sizeof(defaults) / sizeof(*defaults); i++) {
		for (unsigned j = 0; j < sizeof(modifiers) / sizeof(*modifiers); j++) {
			char *data = copy(defaults[i].data); // FP(conditional,path)
			struct node *n = node_new();
			data[strcspn(data, "_")] = '0' + j;
			n->key = defaults[i].key | modifiers[j];
			n->name = data;
			key_compare_insert(&keys, n);
		}
	}
}

const char *key_data(long key)
{
	struct node find = { .key = key }, *n = key_compare_find(&keys, &find);
	return n ? n->name : NULL;
}
