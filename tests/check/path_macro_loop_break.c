// do { ... break; ... } while (0) as a poor man's goto.
#include <stdlib.h>
#include <string.h>

int hand_out(int id);

int render_ok(int id, const char *text)
{
	char *page = NULL, *line = NULL;
	int ok = 0;

	do {
		page = malloc(1024);
		if (!page)
			break;
		line = strdup(text);
		if (!line)
			break;
		if (hand_out(id) < 0)
			break;
		ok = 1;
	} while (0);
	free(line);
	free(page);
	return ok;
}

int render_bad(int id, const char *text)
{
	char *page = NULL, *line = NULL;
	int ok = 0;

	do {
		page = malloc(1024);
		if (!page)
			break;
		line = strdup(text); // LEAK(conditional)
		if (!line)
			break;
		if (hand_out(id) < 0)
			break;
		ok = 1;
	} while (0);
	if (ok)
		free(line);
	free(page);
	return ok;
}
