// A flag set in a loop tells later whether the buffer is still needed.
#include <stdlib.h>
#include <string.h>

char *found_in_list_ok(char **list, int n, const char *key)
{
	char *hit = NULL;
	int i;

	for (i = 0; i < n; i++)
		if (!strcmp(list[i], key)) {
			hit = strdup(list[i]);
			break;
		}
	return hit;
}

int found_flag_ok(char **list, int n, const char *key)
{
	char *hit = NULL;
	int found = 0;

	for (int i = 0; i < n && !found; i++)
		if (!strcmp(list[i], key)) {
			hit = strdup(list[i]);
			found = 1;
		}
	if (found)
		free(hit);
	return found;
}

int every_match_bad(char **list, int n, const char *key)
{
	char *hit = NULL;

	for (int i = 0; i < n; i++)
		if (!strcmp(list[i], key))
			hit = strdup(list[i]); // LEAK
	free(hit);
	return 0;
}

int replaced_ok(char **list, int n, const char *key)
{
	char *hit = NULL;

	for (int i = 0; i < n; i++)
		if (!strcmp(list[i], key)) {
			free(hit);
			hit = strdup(list[i]);
		}
	free(hit);
	return 0;
}
