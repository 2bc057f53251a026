// The destructor frees a field that is borrowed here.
// LEAKS: 1
// NEVER: ^\+.*msg_free\(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct msg {
	char *text;
	int prio;
};

static struct msg *msg_new(char *text, int prio)
{
	struct msg *m = malloc(sizeof *m);

	if (!m)
		abort();
	m->text = text;
	m->prio = prio;
	return m;
}

static void msg_free(struct msg *m)
{
	free(m->text);
	free(m);
}

static char hello[] = "hello";

static int greet(int prio)
{
	struct msg *m = msg_new(hello, prio);

	printf("%s %d\n", m->text, m->prio);
	return prio;
}

static void own(const char *s)
{
	struct msg *m = msg_new(strdup(s), 1);

	printf("%s %d\n", m->text, m->prio);
	msg_free(m);
}

int main(void)
{
	greet(5);
	own("mine");
	puts(hello);
	return 0;
}
