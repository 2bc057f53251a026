// A literal or a heap copy, and a variable that remembers which.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int show_user_ok(const char *user)
{
	const char *name = "nobody";
	char *copy = NULL;

	if (user[0]) {
		copy = strdup(user);
		if (!copy)
			return -1;
		name = copy;
	}
	puts(name);
	if (name == copy)
		free(copy);
	return 0;
}

int show_user_flag_ok(const char *user)
{
	char *name = (char *)"nobody";
	int owned = 0;

	if (user[0]) {
		name = strdup(user);
		owned = 1;
	}
	if (name)
		puts(name);
	if (owned)
		free(name);
	return 0;
}

int show_user_flag_bad(const char *user, int upper)
{
	char *name = (char *)"nobody";
	int owned = 0;

	if (user[0]) {
		name = strdup(user); // LEAK(conditional)
		owned = !upper;
	}
	if (name)
		puts(name);
	if (owned)
		free(name);
	return 0;
}
