// One switch allocates for some kinds, another frees for the same.
#include <stdlib.h>
#include <string.h>

enum type { T_NULL, T_NUMBER, T_STRING, T_BLOB };

int store_ok(enum type t, const char *text)
{
	char *data = NULL;
	int n = 0;

	switch (t) {
	case T_STRING:
		data = strdup(text);
		break;
	case T_BLOB:
		data = malloc(256);
		break;
	default:
		break;
	}
	if (data)
		n = data[0];
	switch (t) {
	case T_STRING:
	case T_BLOB:
		free(data);
		break;
	case T_NULL:
	case T_NUMBER:
		break;
	}
	return n;
}

int store_bad(enum type t, const char *text)
{
	char *data = NULL;
	int n = 0;

	switch (t) {
	case T_STRING:
		data = strdup(text);
		break;
	case T_BLOB:
		data = malloc(256); // LEAK(conditional)
		break;
	default:
		break;
	}
	if (data)
		n = data[0];
	switch (t) {
	case T_STRING:
		free(data);
		break;
	default:
		break;
	}
	return n;
}
