#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int words_ok(char **v, int n)
{
	struct list l = {0};

	for (int i = 0; i < n; i++) {
		char *w = strdup(v[i]);

		if (!w)
			break;
		if (list_add(&l, w) < 0) {
			free(w);
			break;
		}
	}
	list_clear(&l, free);
	return 0;
}

static int numbers_ok(void)
{
	struct list l = {0};
	int one = 1;

	list_add(&l, &one);
	list_clear(&l, NULL);
	return one;
}

int main(int argc, char **argv)
{
	char *title = strdup(argc > 1 ? argv[1] : "none"); // LEAK(overwritten)

	title = argv[0];
	puts(title);
	return words_ok(argv, argc) + numbers_ok();
}
