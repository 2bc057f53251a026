// Code that is never executed as the program is: it reads the variable, and a release before it would be a mistake as soon as
// somebody makes it run.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *never(int n)
{
	printf("%d\n", n);
	return NULL;
}

static int by_result(int n)
{
	char *key = strdup("key");
	char *s;

	if (!key)
		return -1;
	s = never(n);
	if (s) {
		printf("%s %s\n", s, key);
		free(key);
		free(s);
		return 1;
	}
	return 0;
}

static int by_number(int n)
{
	char *name = strdup("name");

	if (!name || n < 2) {
		free(name);
		return 0;
	}
	puts(name);
	if (n < 2) {
		free(name);
		return 1;
	}
	return 2;
}

/* By another name. */
static int by_other_name(int n)
{
	char *name = strdup("name");
	const char *same = name;

	if (!name || n < 2) {
		free(name);
		return 0;
	}
	puts(name);
	if (n < 2)
		return (int)strlen(same);
	return 2;
}

/* Set again before it is read: that is another object. */
static int set_again(int n)
{
	char *name = strdup("first");

	if (!name || n < 2) {
		free(name);
		return 0;
	}
	puts(name);
	if (n < 2) {
		name = strdup("second");
		puts(name ? name : "-");
		free(name);
	}
	return 2;
}

int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", by_result(argc) + by_number(argc) + by_number(argc + 1) + by_other_name(argc + 1) + set_again(argc + 1));
	return 0;
}
