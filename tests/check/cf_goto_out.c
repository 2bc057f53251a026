// One exit label, the habit of careful C, and what goes wrong around it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int all_to_the_label_ok(const char *name)
{
	char *path = NULL, *text = NULL;
	int ret = -1;

	path = malloc(strlen(name) + 8);
	if (!path)
		goto out;
	sprintf(path, "/tmp/%s", name);
	text = malloc(1024);
	if (!text)
		goto out;
	text[0] = 0;
	ret = 0;
out:
	free(text);
	free(path);
	return ret;
}

int early_return_beside_label_bad(const char *name)
{
	char *path = malloc(strlen(name) + 8); // LEAK(conditional)
	int ret = -1;

	if (!path)
		goto out;
	if (!*name)
		return -2;
	sprintf(path, "/tmp/%s", name);
	ret = (int)strlen(path);
out:
	free(path);
	return ret;
}

int one_forgotten_bad(const char *name)
{
	char *path = NULL;
	char *text = NULL;
	int ret = -1;

	path = malloc(strlen(name) + 8); // LEAK(never-freed)
	if (!path)
		goto out;
	text = malloc(1024);
	if (!text)
		goto out;
	ret = 0;
out:
	free(text);
	return ret;
}
