// A copy of a list, taken back when it cannot be completed.
#include <stdlib.h>
#include <string.h>

struct str { struct str *next; char *s; };

static void list_free(struct str *l)
{
	while (l) {
		struct str *next = l->next;

		free(l->s);
		free(l);
		l = next;
	}
}

struct str *list_copy_ok(const struct str *l)
{
	struct str *head = NULL, **tail = &head;

	for (; l; l = l->next) {
		struct str *n = calloc(1, sizeof(*n));

		if (!n) {
			list_free(head);
			return NULL;
		}
		*tail = n;
		tail = &n->next;
		n->s = strdup(l->s);
		if (!n->s) {
			list_free(head);
			return NULL;
		}
	}
	return head;
}

struct str *list_copy_bad(const struct str *l)
{
	struct str *head = NULL, **tail = &head;

	for (; l; l = l->next) {
		struct str *n = calloc(1, sizeof(*n)); // LEAK(conditional)

		if (!n)
			return NULL;
		n->s = strdup(l->s);
		if (!n->s) {
			list_free(head);
			return NULL;
		}
		*tail = n;
		tail = &n->next;
	}
	return head;
}
