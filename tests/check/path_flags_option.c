/* An option is asked before and after a function of which nothing is known: as far as can be seen it is
 * not changed meanwhile. */
#include <stdlib.h>

int option_keep;

void drop_names_ok(char **names, int (*accept)(const char *))
{
	char **old = NULL;
	int i, n = 0;

	if (!option_keep) {
		old = calloc(10, sizeof(*old)); // FP(path)
		if (!old)
			return;
	}
	for (i = 1; names[i]; i++)
		if (accept(names[i]))
			n++;
	if (n == 0) {
		if (option_keep)
			names[0] = NULL;
		else
			free(old);
		return;
	}
	if (!option_keep)
		free(old);
}

void drop_names_bad(char **names, int (*accept)(const char *))
{
	char **old = NULL;
	int i, n = 0;

	if (!option_keep) {
		old = calloc(10, sizeof(*old)); // LEAK(conditional)
		if (!old)
			return;
	}
	for (i = 1; names[i]; i++)
		if (accept(names[i]))
			n++;
	if (n == 0)
		return;
	if (!option_keep)
		free(old);
}

int set_option(int on)
{
	option_keep = on;
	return 0;
}
