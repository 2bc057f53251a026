// The destructor forgets a member that another allocator made than its holder: it is released by that one's partner.
// LEAKS: 2
// ONCE: ^\+.*give_back\(n->name\);
// NEVER: ^\+.*\bfree\(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *(*get_memory)(size_t) = malloc;
void (*give_back)(void *) = free;

struct node {
	char *name;
	struct node *next;
};

static struct node *push(struct node *next, const char *name)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		exit(1);
	n->name = get_memory(strlen(name) + 1);
	if (n->name)
		strcpy(n->name, name);
	n->next = next;
	return n;
}

static void drop(struct node *n)
{
	while (n) {
		struct node *next = n->next;

		free(n);
		n = next;
	}
}

static void spare(void)
{
	char *p = get_memory(8);

	give_back(p);
}

int main(void)
{
	struct node *all = push(push(NULL, "a"), "b");

	for (struct node *n = all; n; n = n->next)
		printf("%s\n", n->name);
	spare();
	drop(all);
	return 0;
}
