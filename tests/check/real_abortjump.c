/* true: the string is dropped by a jump to the top level, where the program goes on */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf top;
static char *running;
static int level;

static void give_up(void)
{
	level = 0;
	longjmp(top, 1);
}

static void with_input(char *string)
{
	if (level > 16) {
		fputs("nested too deep\n", stderr);
		give_up();
		return;
	}
	free(running);
	running = string;
	level++;
}

void call_bad(const char *macro)
{
	with_input(strdup(macro)); // FN: LEAK
}

int main(int argc, char **argv)
{
	setjmp(top);
	for (int i = 0; i < argc; i++)
		call_bad(argv[i]);
	free(running);
	return 0;
}
