/* the head is made in the first round; later ones hang on the last */
#include <stdlib.h>
#include <string.h>

struct header { struct header *next; char *name; };

static struct header *copy(const struct header *h)
{
	struct header *ret = NULL, *cur = NULL, *old = NULL;

	for (; h; h = h->next) {
		if (cur) {
			cur->next = calloc(1, sizeof(*cur));
			old = cur;
			cur = cur->next;
		} else {
			ret = calloc(1, sizeof(*ret));
			cur = ret;
		}
		if (!cur)
			return ret;
		cur->name = strdup(h->name);
		if (!cur->name) {
			if (old)
				old->next = NULL;
			else
				ret = NULL;
			free(cur);
			return ret;
		}
	}
	return ret;
}

void use(const struct header *h)
{
	struct header *c = copy(h), *next;

	for (; c; c = next) {
		next = c->next;
		free(c->name);
		free(c);
	}
}

/* a flag says that it is the first round; what grows replaces what was */
char *join(const struct header *h)
{
	char *res = NULL, *tmp;
	int start = 1;

	for (; h; h = h->next) {
		if (!h->name)
			continue;
		if (start) {
			if (!(res = malloc(strlen(h->name) + 1)))
				return NULL;
			strcpy(res, h->name);
			start = 0;
		} else {
			if (!(tmp = realloc(res, strlen(res) + strlen(h->name) + 1))) {
				free(res);
				return NULL;
			}
			res = tmp;
			strcat(res, h->name);
		}
	}
	return res;
}

size_t joined(const struct header *h)
{
	char *s = join(h);
	size_t n = s ? strlen(s) : 0;

	free(s);
	return n;
}
