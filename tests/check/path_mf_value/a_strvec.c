// A vector of strings as a value object, in a unit of its own.
#include "strvec.h"

#include <stdlib.h>
#include <string.h>

void strvec_init(struct strvec *s)
{
	memset(s, 0, sizeof(*s));
}

int strvec_push(struct strvec *s, const char *t)
{
	if (s->n == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 4;
		char **v = realloc(s->v, cap * sizeof(*v)); // FN(vfg): LEAK@v: by run_bad()

		if (!v)
			return -1;
		s->v = v;
		s->cap = cap;
	}
	s->v[s->n] = strdup(t);
	if (!s->v[s->n])
		return -1;
	s->n++;
	return 0;
}

void strvec_release(struct strvec *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free(s->v[i]);
	free(s->v);
	strvec_init(s);
}
