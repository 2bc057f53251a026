// An object on an intrusive list on the stack that nobody empties.
#include <stdlib.h>

struct list { struct list *next; };
struct job { int id; struct list link; };

int dropped_bad(int n)
{
	struct list head = { NULL };
	int sum = 0;

	for (int i = 0; i < n; i++) {
		struct job *j = malloc(sizeof(*j)); // LEAK(never-freed)

		if (!j)
			break;
		j->id = i;
		j->link.next = head.next;
		head.next = &j->link;
		sum += j->id;
	}
	return sum;
}
