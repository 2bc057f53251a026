// It is not known which of two functions gets the object; one frees it.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(char *s)
{
	puts(s);
}

static void drop(char *s)
{
	puts("dropped");
	free(s);
}

static void run(void (*act)(char *), const char *t)
{
	char *s = strdup(t);

	if (!s)
		return;
	act(s);
}

int main(void)
{
	run(show, "a");
	run(drop, "b");
	return 0;
}
