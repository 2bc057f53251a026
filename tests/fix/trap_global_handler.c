// A signal handler may read the global between a free and the store.
// LEAKS: 1
// HELD: 1
// EXPECT: refused
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	char *text;
} last;

static void on_signal(int n)
{
	(void)n;
	if (last.text)
		(void)!write(1, last.text, strlen(last.text));
}

static void note(const char *text)
{
	last.text = strdup(text);
}

int main(void)
{
	signal(SIGUSR1, on_signal);
	note("one\n");
	raise(SIGUSR1);
	note("two\n");
	raise(SIGUSR1);
	return 0;
}
