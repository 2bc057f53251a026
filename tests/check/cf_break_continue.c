// break and continue that jump over the free.
#include <stdlib.h>
#include <string.h>

void continue_over_free_bad(char **names, int n)
{
	for (int i = 0; i < n; i++) {
		char *copy = strdup(names[i]); // LEAK(conditional)

		if (!copy)
			continue;
		if (copy[0] == '.')
			continue;
		free(copy);
	}
}

void break_over_free_bad(char **names, int n)
{
	for (int i = 0; i < n; i++) {
		char *copy = strdup(names[i]); // LEAK(conditional)

		if (!copy)
			break;
		if (!strcmp(copy, "end"))
			break;
		free(copy);
	}
}

void freed_before_each_jump_ok(char **names, int n)
{
	for (int i = 0; i < n; i++) {
		char *copy = strdup(names[i]);

		if (!copy)
			break;
		if (copy[0] == '.') {
			free(copy);
			continue;
		}
		if (!strcmp(copy, "end")) {
			free(copy);
			break;
		}
		free(copy);
	}
}

void break_to_free_ok(char **names, int n)
{
	char *copy = NULL;

	for (int i = 0; i < n; i++) {
		copy = strdup(names[i]);
		if (copy && copy[0] == '.')
			break;
		free(copy);
		copy = NULL;
	}
	free(copy);
}
