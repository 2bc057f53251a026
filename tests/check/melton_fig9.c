// Xu and Zhang (QSIC 2008), Figure 9, after which 2.16: `continue` in a do loop passes
// the free by, and the next round allocates again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int skip_tilde, show_tilde;

static char *find_in_path(const char *name, int *index)
{
	char buf[100];

	if (*index > 9)
		return NULL;
	snprintf(buf, sizeof(buf), "/%d/%s", (*index)++, name);
	return strdup(buf);
}

int path_search_bad(const char *name, int all)
{
	int index = 0, next, found = 0;
	char *result;

	do {
		next = all;
		result = find_in_path(name, &index); // LEAK
		if (result) {
			int in_home = name[0] == '~';

			if (show_tilde) {
				puts(result);
			} else if (in_home) {
				if (skip_tilde) {
					next = 1;
					continue;
				}
				puts(result + 1);
			}
			found++;
			free(result);
		} else {
			break;
		}
	} while (next);
	return found;
}

int path_search_ok(const char *name, int all)
{
	int index = 0, next, found = 0;
	char *result;

	do {
		next = all;
		result = find_in_path(name, &index);
		if (result) {
			int in_home = name[0] == '~';

			if (!show_tilde && in_home && skip_tilde) {
				next = 1;
				free(result);
				continue;
			}
			puts(result);
			found++;
			free(result);
		} else {
			break;
		}
	} while (next);
	return found;
}

void set_options(int skip, int show)
{
	skip_tilde = skip;
	show_tilde = show;
}
