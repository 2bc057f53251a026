// LEAKS: 1
// ONCE: ^\+\s*free\(msg\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void log_line(const char *text, int quiet)
{
	char *msg = malloc(strlen(text) + 16);

	if (!msg)
		return;
	sprintf(msg, "log: %s", text);
	if (quiet) {
		printf("(quiet)\n");
		return;
	}
	puts(msg);
	free(msg);
}

int main(void)
{
	log_line("start", 0);
	log_line("hidden", 1);
	return 0;
}
