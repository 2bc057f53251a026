// The destructor also takes the object out of a global list, in which it is not yet.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>

struct session {
	struct session *prev, *next;
	int id;
};

static struct session all = { &all, &all, 0 };

static void session_free(struct session *s)
{
	s->prev->next = s->next;
	s->next->prev = s->prev;
	free(s);
}

static struct session *session_start(int id)
{
	struct session *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->id = id;
	if (id < 0) {
		printf("bad id\n");
		return NULL;
	}
	s->next = all.next;
	s->prev = &all;
	all.next->prev = s;
	all.next = s;
	return s;
}

int main(void)
{
	session_start(1);
	session_start(-1);
	session_start(2);
	while (all.next != &all) {
		printf("%d\n", all.next->id);
		session_free(all.next);
	}
	return 0;
}
