/* setjmp() returns again only after the call that took the string, whose clean-up frees it */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf catch_return;
static char *held;

static void run_cleanup(void)
{
	free(held);
	held = NULL;
}

static int execute(char *string)
{
	held = string;
	if (strcmp(string, "return") == 0)
		longjmp(catch_return, 1);
	puts(string);
	run_cleanup();
	return 0;
}

static int evaluate(char *string)
{
	volatile int r;

	if (setjmp(catch_return)) {
		run_cleanup();
		r = 1;
	} else {
		r = execute(string);
	}
	return r;
}

int eval(const char *word)
{
	char *s = strdup(word);

	if (!s)
		return -1;
	return evaluate(s);
}
