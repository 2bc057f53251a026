// An iterator: opened, stepped and closed by callers that we do not see.
#include <stdlib.h>
#include <string.h>

struct iter { char *pattern; char *cur; int pos; };

int iter_open(struct iter **out, const char *pattern)
{
	struct iter *it = malloc(sizeof(*it)); // LEAK(conditional): of an empty pattern

	if (!it)
		return -1;
	it->pattern = strdup(pattern);
	if (!it->pattern) {
		free(it);
		return -1;
	}
	it->cur = NULL;
	it->pos = 0;
	if (!*pattern)
		return -2;
	*out = it;
	return 0;
}

const char *iter_next(struct iter *it)
{
	free(it->cur);
	it->cur = strdup(it->pattern + it->pos);
	if (it->cur && it->cur[0])
		it->pos++;
	return it->cur;
}

void iter_close(struct iter *it)
{
	free(it->pattern);
	free(it->cur);
	free(it);
}
