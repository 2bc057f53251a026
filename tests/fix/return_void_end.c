// The function ends without a return.
// LEAKS: 2
// ONCE: ^\+\s*free\(msg\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void log_number(int n)
{
	char *msg = malloc(32);

	if (!msg)
		return;
	snprintf(msg, 32, "number %d", n);
	puts(msg);
}

int main(void)
{
	log_number(1);
	log_number(2);
	return 0;
}
