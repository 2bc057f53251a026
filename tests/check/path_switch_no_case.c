// A switch without a default: where no case fits, what was made before it is lost.
#include <stdlib.h>
#include <string.h>

int n_of(const char *s);

int by_case_bad(const char *s)
{
	char *copy = strdup(s); // LEAK(conditional,high) via 0 +6 +14
	int n;

	if (!copy)
		return -1;
	n = n_of(s);
	switch (n) {
	case 1:
		free(copy);
		return 1;
	case 2:
		free(copy);
		return 4;
	}
	return 0;
}

int by_case_ok(const char *s)
{
	char *copy = strdup(s);
	int n;

	if (!copy)
		return -1;
	n = n_of(s);
	switch (n) {
	case 1:
		free(copy);
		return 1;
	case 2:
		free(copy);
		return 4;
	}
	free(copy);
	return 0;
}
