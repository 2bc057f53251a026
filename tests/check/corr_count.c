// Counters: what was filled is what is freed.
#include <stdlib.h>
#include <string.h>

int filled_so_far_ok(char **in, int n)
{
	char *v[16];
	int used = 0, ret = 0;

	for (int i = 0; i < n && used < 16; i++) {
		if (in[i][0] == '#')
			continue;
		v[used] = strdup(in[i]);
		if (!v[used]) {
			ret = -1;
			break;
		}
		used++;
	}
	while (used > 0)
		free(v[--used]);
	return ret;
}

int only_if_any_ok(int n)
{
	char *p = NULL;
	int count = 0;

	if (n > 3) {
		p = malloc(n);
		count++;
	}
	if (count > 0)
		free(p);
	return count;
}

int one_too_few_bad(int n)
{
	char *p = NULL;
	int count = 0;

	if (n > 3) {
		p = malloc(n); // LEAK(conditional)
		count++;
	}
	if (count > 1)
		free(p);
	return count;
}
