// Each attempt allocates; only the last one is freed.
#include <stdlib.h>

int attempt(int i);

int retry_ok(void)
{
	char *req = NULL;
	int i, ok = 0;

	for (i = 0; i < 5 && !ok; i++) {
		free(req);
		req = malloc(40);
		if (!req)
			return -1;
		ok = attempt(i);
	}
	free(req);
	return ok;
}

int retry_bad(void)
{
	char *req = NULL;
	int i, ok = 0;

	for (i = 0; i < 5 && !ok; i++) {
		req = malloc(40); // LEAK
		if (!req)
			return -1;
		ok = attempt(i);
	}
	free(req);
	return ok;
}
