// Two objects, two flags; each is freed when its own flag says so.
#include <stdlib.h>
#include <string.h>

int header_ok(const char *line)
{
	char *key = NULL, *value = NULL;
	int have_key = 0, have_value = 0, n = 0;
	const char *colon = strchr(line, ':');

	if (colon) {
		key = strndup(line, colon - line);
		have_key = key != NULL;
		if (colon[1]) {
			value = strdup(colon + 1);
			have_value = value != NULL;
		}
	}
	if (have_key && have_value)
		n = (int)(strlen(key) + strlen(value));
	if (have_value)
		free(value);
	if (have_key)
		free(key);
	return n;
}

int header_bad(const char *line)
{
	char *key = NULL, *value = NULL;
	int have_key = 0, have_value = 0, n = 0;
	const char *colon = strchr(line, ':');

	if (colon) {
		key = strndup(line, colon - line); // LEAK(conditional)
		have_key = key != NULL;
		if (colon[1]) {
			value = strdup(colon + 1);
			have_value = value != NULL;
		}
	}
	if (have_key && have_value) {
		n = (int)(strlen(key) + strlen(value));
		free(key);
	}
	if (have_value)
		free(value);
	return n;
}
