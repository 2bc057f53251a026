// Handed to a registered handler as its data.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	void (*fn)(void *);
	void *data;
} handlers[4];
static int n_handlers;

static int on_event(void (*fn)(void *), void *data)
{
	handlers[n_handlers].fn = fn;
	handlers[n_handlers].data = data;
	return n_handlers++;
}

static void say(void *data)
{
	char *s = data;

	puts(s);
	free(s);
}

static int watch(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		return -1;
	copy[0] = '>';
	return on_event(say, copy);
}

int main(void)
{
	printf("%d%d\n", watch("-a"), watch("-b"));
	for (int i = 0; i < n_handlers; i++)
		handlers[i].fn(handlers[i].data);
	return 0;
}
