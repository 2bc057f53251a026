// LEAKS: 5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int countdown(int n)
{
	char *text;
	int printed = 0;

	do
		text = malloc(12), snprintf(text, 12, "%d", n), printed += printf("%s\n", text);
	while (n-- > 0);
	return printed;
}

int main(void)
{
	printf("%d\n", countdown(0));
	printf("%d\n", countdown(3));
	return 0;
}
